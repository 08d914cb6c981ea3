package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.LoraConfig;
import roll.api.config.ModelConfig;
import roll.api.config.Packing;
import roll.api.config.TokenBudgets;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.option.UserException;
import roll.runtime.config.CriticConfig;
import roll.runtime.config.KlConfig;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;

/** What the keys of the roles become in the typed configuration. */
class RolesTest {
  @TempDir Path folder = Path.of("");

  @Test
  void theReferenceExistsWhereSomethingReadsIt() {
    assertNull(run("init_kl_coef=0.2").reference());
    assertNotNull(run("use_kl_loss=true").reference());
    assertNotNull(run("add_token_level_kl=true").reference());
    assertNotNull(run("enable_reference=true").reference());

    LoadedConfig idle = load("reference={infer_batch_size: 2, name: x}");
    assertNull(idle.run().reference());
    assertEquals(
        List.of(
            "key 'reference' has no effect here: neither use_kl_loss nor add_token_level_kl is"
                + " true"),
        idle.notices());
    assertEquals(
        new KlConfig(true, "k3", 0.05, 0.1, 500),
        run(
                "add_token_level_kl=true",
                "kl_penalty=k3",
                "init_kl_coef=0.05",
                "target_kl=0.1",
                "kl_horizon=500")
            .algorithm()
            .kl());
  }

  @Test
  void aCriticThatNothingNeedsIsCheckedAndLeftOut() {
    LoadedConfig idle =
        load(
            "reward_pretrain=somewhere",
            "value_clip=0.5",
            "critic={training_args: {learning_rate: 1.0e-5}, infer_batch_size: 4}",
            "critic.model_args={num_labels: 1}");
    assertEquals(load().run(), idle.run());
    String reason = " has no effect here: adv_estimator grpo needs no critic";
    assertEquals(
        List.of(
            "key 'critic'" + reason, "key 'reward_pretrain'" + reason, "key 'value_clip'" + reason),
        idle.notices());
  }

  @Test
  void microBatchesMayBeCountedInTokens() {
    assertEquals(TokenBudgets.NONE, run().actorTrain().budgets());
    RunConfig run =
        run(
            "actor_train.use_dynamic_batching_in_train=true",
            "actor_train.max_tokens_per_microbatch_in_train=4096",
            "actor_train.use_dynamic_batching_in_infer=true",
            "actor_train.max_tokens_per_microbatch_in_infer=8192");
    assertEquals(new TokenBudgets(4096, 8192), run.actorTrain().budgets());
    UserException refused =
        assertThrows(
            UserException.class, () -> run("actor_train.use_dynamic_batching_in_train=true"));
    assertTrue(
        refused
            .getMessage()
            .endsWith(
                "actor_train.max_tokens_per_microbatch_in_train: expected a number of tokens where"
                    + " use_dynamic_batching_in_train is true, found '0'"),
        refused.getMessage());
  }

  /** Without lengths of their own, rows hold what a padded micro-batch may. */
  @Test
  void samplesMayBePacked() {
    RunConfig run =
        run(
            "sequence_length=100",
            "actor_train.infer_batch_size=3",
            "actor_train.training_args.per_device_train_batch_size=2",
            "actor_train.use_sequence_packing=true");
    assertEquals(new TokenBudgets(200, 300, new Packing(false, 1, 1)), run.actorTrain().budgets());
    String arguments =
        "actor_train.sequence_packing_args={algorithm: load_balance,"
            + " max_packed_sequence_length_train: 500, max_packed_sequence_length_forward: 700,"
            + " min_num_micro_batches_train: 2, min_num_micro_batches_forward: 3}";
    assertEquals(
        new TokenBudgets(500, 700, new Packing(true, 2, 3)),
        run("actor_train.use_sequence_packing=true", arguments).actorTrain().budgets());
    LoadedConfig idle = load(arguments);
    assertEquals(TokenBudgets.NONE, idle.run().actorTrain().budgets());
    assertEquals(
        List.of(
            "key 'actor_train.sequence_packing_args' has no effect here: use_sequence_packing is"
                + " false"),
        idle.notices());
  }

  /** A default may be written out; what another key switches off otherwise gives a notice. */
  @Test
  void keysThatAnotherSwitchesOffGiveANotice() {
    LoadedConfig loaded =
        load(
            "kl_loss_coef=0.1",
            "target_kl=0.2",
            "init_kl_coef=0.2",
            "pg_clip=0.3",
            "pg_clip_low=0.1",
            "gamma=1");
    assertEquals(
        List.of(
            "key 'kl_loss_coef' has no effect here: use_kl_loss is false",
            "key 'target_kl' has no effect here: add_token_level_kl is false",
            "key 'pg_clip_low' has no effect here: use_pg_clip_range is false"),
        loaded.notices());
    assertTrue(loaded.changed().containsAll(List.of("kl_loss_coef", "target_kl", "pg_clip")));
    assertFalse(loaded.changed().contains("init_kl_coef"));
    assertFalse(loaded.changed().contains("gamma"));
    assertEquals(
        List.of("key 'pg_clip' has no effect here: use_pg_clip_range is true"),
        load("pg_clip=0.3", "pg_clip_low=0.1", "use_pg_clip_range=true").notices());
    assertEquals(List.of(), load("init_kl_coef=0").notices());
    assertEquals(
        List.of("key 'init_kl_coef' has no effect here: add_token_level_kl is false"),
        load("init_kl_coef=0.1").notices());
    assertEquals(
        List.of(), load("pg_clip=0.3", "use_pg_clip_range=true", "dual_clip_loss=true").notices());
  }

  @Test
  void gaeHasACriticWithAModelAndAnOptimizerOfItsOwn() {
    RunConfig run =
        run(
            "adv_estimator=gae",
            "rollout_batch_size=8",
            "value_clip=0.5",
            "critic_warmup=3",
            "critic.model_args.dtype=bf16",
            "critic.training_args={learning_rate: 1.0e-5, per_device_train_batch_size: 3}");
    CriticConfig critic = Objects.requireNonNull(run.critic());
    assertEquals(0.5, critic.valueClip());
    assertEquals(3, critic.warmup());
    assertEquals("critic", critic.worker().role());
    assertEquals("local_train", critic.worker().strategy());
    assertEquals(run.pretrain(), critic.worker().model().folder());
    assertEquals(Dtype.BF16, critic.worker().model().dtype());
    assertEquals(1e-5, critic.worker().training().learningRate());
    assertEquals(3 * run.schedule().maxSteps(), critic.worker().training().totalSteps());
    assertNull(run("adv_estimator=grpo").critic());
    assertNotNull(run("adv_estimator=mine", "critic={enable: true}").critic());
    UserException refused =
        assertThrows(UserException.class, () -> run("adv_estimator=gae", "critic.enable=false"));
    assertTrue(
        refused
            .getMessage()
            .endsWith("critic.enable: expected true with adv_estimator gae, found 'false'"),
        refused.getMessage());
  }

  @Test
  void theMachineIsDividedIntoDevicesOfAllNodes() {
    assertEquals(0, run().deviceCount());
    assertEquals(2, run("num_gpus_per_node=2").deviceCount());
    assertEquals(16, run("num_gpus_per_node=8", "num_nodes=2").deviceCount());
    assertEquals(0, run("num_nodes=2").deviceCount());
    assertEquals(0, run().deviceMemory());
    assertEquals(5L << 29, run("device_memory_gb=2.5").deviceMemory());
    UserException refused = assertThrows(UserException.class, () -> run("num_gpus_per_node=0"));
    assertTrue(refused.getMessage().contains("num_gpus_per_node: expected"), refused.getMessage());
  }

  @Test
  void replicasAreTheDevicesOverThoseOfOneCopy() {
    assertEquals(1, run().actorTrain().training().replicas());
    String eight = "actor_train.device_mapping=list(range(0,8))";
    TrainingConfig split =
        run(
                eight,
                "actor_train.training_args.gradient_accumulation_steps=3",
                "actor_train.strategy_args.strategy_config={tensor_model_parallel_size: 2,"
                    + " pipeline_model_parallel_size: 2}")
            .actorTrain()
            .training();
    assertEquals(2, split.replicas());
    assertEquals(4 * 3 * 2, split.effectiveBatch());

    RunConfig two = run("adv_estimator=gae", "critic.device_mapping=[0,1]");
    TrainingConfig critic = Objects.requireNonNull(two.critic()).worker().training();
    assertEquals(2, critic.replicas());
    // 8 trajectories and 10 steps, 2 replicas of per_device_train_batch_size 8
    assertEquals(10, critic.totalSteps());
    assertEquals(1, two.actorTrain().training().replicas());

    assertEquals(
        "override '"
            + eight
            + "': actor_train.device_mapping: 8 devices, no multiple of"
            + " tensor_model_parallel_size × pipeline_model_parallel_size of"
            + " actor_train.strategy_args.strategy_config = 3 × 1 = 3",
        refusal(eight, "actor_train.strategy_args.strategy_config.tensor_model_parallel_size=3"));
    assertEquals(
        "override 'actor_train.strategy_args.strategy_config={tensor_model_parallel_size: two}':"
            + " actor_train.strategy_args.strategy_config.tensor_model_parallel_size: expected a"
            + " whole number from 1 to 4096, found 'two'",
        refusal("actor_train.strategy_args.strategy_config={tensor_model_parallel_size: two}"));
  }

  private String refusal(String... overrides) {
    return assertThrows(UserException.class, () -> run(overrides)).getMessage();
  }

  @Test
  void rolesKeepTheirModelsStrategiesAndDevices() {
    RunConfig run =
        run(
            "actor_train.device_mapping=list(range(0,2))",
            "actor_train.model_args={dtype: bf16, freeze_module_prefix: 'model.embed, lm_head'}",
            "actor_train.strategy_args={strategy_name: megatron_train, strategy_config: {a: 1}}",
            "actor_infer.model_args.model_name_or_path=" + folder,
            "actor_infer.data_args.template=qwen2_5",
            "actor_infer.infer_batch_size=3");
    WorkerConfig train = run.actorTrain();
    assertEquals(List.of(0, 1), train.devices());
    assertEquals(Dtype.BF16, train.model().dtype());
    assertEquals(List.of("model.embed", "lm_head"), train.model().frozen());
    assertEquals(List.of(), run.actorInfer().model().frozen());
    assertTrue(train.model().checkpointing());
    assertFalse(
        run("actor_train.model_args.disable_gradient_checkpointing=true")
            .actorTrain()
            .model()
            .checkpointing());
    assertFalse(train.model().wideLogits());
    assertTrue(run("actor_train.logits_in_fp32=true").actorTrain().model().wideLogits());
    assertEquals("megatron_train", train.strategy());
    assertEquals(Map.of("a", 1), train.strategyOptions().values());
    assertEquals(folder.resolve("model"), train.model().folder());
    assertEquals(folder, run.actorInfer().model().folder());
    assertEquals("qwen2_5", run.actorInfer().template());
    assertEquals(3, run.actorInfer().inferBatchSize());
    assertEquals(
        folder,
        run("pretrain=~", "actor_train.model_args.model_name_or_path=" + folder).pretrain());
  }

  @Test
  void adaptersAreThoseOfActorTrain() {
    assertNull(run().actorTrain().model().lora());
    LoadedConfig some = load("actor_train.model_args.lora_target='q_proj, v_proj'");
    LoraConfig standard = new LoraConfig(8, 16, 0, List.of("q_proj", "v_proj"));
    assertEquals(standard, some.run().actorTrain().model().lora());
    assertEquals(List.of(), some.notices());
    assertEquals(
        new LoraConfig(4, 7, 0.1, List.of(".*(q|v)_proj,?")),
        run("actor_train.model_args={lora_target: '.*(q|v)_proj,?', lora_rank: 4, lora_alpha: 7,"
                + " lora_dropout: 0.1}")
            .actorTrain()
            .model()
            .lora());
    ModelConfig old =
        run("actor_train.model_args.adapter_name_or_path=" + folder).actorTrain().model();
    assertEquals(folder, old.adapter());
    assertTrue(old.adapted());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {lora_target: []}                         | lora_target: expected names of projections, all-linear, or a regular expression, found '[]'
          {lora_target: [' , ']}                    | lora_target: expected names of projections
          {lora_target: q_proj, lora_dropout: 1}    | lora_dropout: expected a number from 0 up, below 1, found '1'
          {lora_target: q_proj, lora_rank: 0}       | lora_rank: expected a whole number of at least 1, found '0'
          {lora_target: a, adapter_name_or_path: b} | adapter_name_or_path: expected nothing where lora_target is given
          {adapter_name_or_path: nowhere}           | adapter_name_or_path: no folder 'nowhere'
          """)
  void refusesAdaptersThatDoNotFit(String model, String message) {
    UserException refused =
        assertThrows(UserException.class, () -> load("actor_train.model_args=" + model));
    assertTrue(
        refused.getMessage().contains("actor_train.model_args." + message), refused.getMessage());
  }

  @Test
  void saysWhatIsIdleAboutAdapters() {
    LoadedConfig idle =
        load(
            "actor_train.model_args={lora_rank: 4, autocast_adapter_dtype: true}",
            "actor_infer.model_args={lora_target: all-linear, adapter_name_or_path: x}",
            "use_kl_loss=true",
            "reference.model_args={lora_alpha: 2, adapter_name_or_path: " + folder + "}");
    assertEquals(
        List.of(
            "key 'actor_train.model_args.autocast_adapter_dtype' has no effect here: adapters are"
                + " always 32 bits wide",
            "key 'actor_train.model_args.lora_rank' has no effect here: lora_target is not given",
            "key 'actor_infer.model_args.lora_target' has no effect here: this role is"
                + " not trained",
            "key 'actor_infer.model_args.adapter_name_or_path' has no effect here: actor_infer has"
                + " the adapters of actor_train",
            "key 'reference.model_args.lora_alpha' has no effect here: this role is not"
                + " trained"),
        idle.notices());
    assertNull(idle.run().actorInfer().model().adapter());
    WorkerConfig reference = Objects.requireNonNull(idle.run().reference());
    assertEquals(folder, reference.model().adapter());
    assertEquals(
        List.of(
            "key 'actor_train.model_args.freeze_module_prefix' has no effect here: with adapters"
                + " the whole model is frozen"),
        load("actor_train.model_args={lora_target: all-linear, freeze_module_prefix: model}")
            .notices());
  }

  @Test
  void theOptimizerKnowsTheLengthOfTheRun() {
    RunConfig run =
        run(
            "ppo_epochs=3",
            "actor_train.training_args={learning_rate: 1e-6, lr_scheduler_type:"
                + " constant_with_warmup, weight_decay: 0.1, adam_beta2: 0.95,"
                + " per_device_train_batch_size: 2, gradient_accumulation_steps: 2, warmup_ratio:"
                + " 0.11}");
    // 8 trajectories / (2 × 2) × 3 epochs × 10 steps = 60 updates; 0.11 of them, rounded up
    assertEquals(
        new TrainingConfig(1e-6, 0.1, 0.9, 0.95, 2, 2, "constant", 7, 60),
        run.actorTrain().training());
  }

  private RunConfig run(String... overrides) {
    return load(overrides).run();
  }

  private LoadedConfig load(String... overrides) {
    return new ConfigFiles(folder).load(ConfigFiles.SMALL, overrides);
  }
}
