package roll.config.verl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.SchedulerArgs;
import roll.api.config.SchedulerArgs.Curve;
import roll.api.config.TrainingConfig;
import roll.config.ConfigFiles;
import roll.config.schema.Key;
import roll.config.schema.Schema;
import roll.config.schema.ValueType;
import roll.config.tree.Tree;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;

/** verl's options beside ours, in place of ours, and wrong. */
class VerlOptionsTest {
  /** The smallest run of verl's: its environment is one of ours. */
  private static final String VERL =
      """
      actor_rollout_ref:
        _target_: somewhere
        model: {path: model}
        actor: {ppo_mini_batch_size: 4, ppo_micro_batch_size_per_gpu: 2}
        rollout: {n: 2}
      data: {train_batch_size: 8, max_prompt_length: 100, max_response_length: 28}
      trainer: {n_gpus_per_node: 1, total_training_steps: 10}
      algorithm: {adv_estimator: grpo}
      val_batch_size: 4
      custom_envs:
        FrozenLake: {env_type: frozen_lake, max_steps: 5}
      """;

  @TempDir Path folder = Path.of("");

  private LoadedConfig load(String... overrides) {
    return new ConfigFiles(folder).load(VERL, overrides);
  }

  private RunConfig run(String... overrides) {
    return load(overrides).run();
  }

  private String complaint(String... overrides) {
    return new ConfigFiles(folder).complaint(VERL, overrides);
  }

  @Test
  void defaultsAreThoseOfVerl() {
    RunConfig run = run();
    assertEquals(128, run.sequenceLength());
    assertEquals(16, run.schedule().rolloutBatchSize());
    assertEquals(0, run.schedule().saveSteps());
    assertEquals(0, run.schedule().evalSteps());
    assertEquals(1, run.algorithm().gamma());
    assertEquals(1, run.algorithm().lambda());
    assertEquals(0, run.algorithm().loss().klCoefficient());
    assertEquals(0, run.algorithm().loss().entropyCoefficient());
    assertEquals(1e-6, run.actorTrain().training().learningRate());
    assertEquals(0.01, run.actorTrain().training().weightDecay());
    assertEquals(4, run.actorTrain().training().accumulation());
    assertEquals(1, run.trainEnvs().sampling().temperature());
    assertEquals(1, run.trainEnvs().sampling().topP());
    assertNull(run.reference());
    assertTrue(run.actorTrain().model().checkpointing());
  }

  @Test
  void anAgentsRunHasOtherDefaults() {
    RunConfig run = run("agent.max_turns=3", "data.train_files=f");
    assertEquals(0.001, run.algorithm().loss().klCoefficient());
    assertEquals(0.001, run.algorithm().loss().entropyCoefficient());
    assertNotNull(run.reference());
    assertEquals(2, run.trainEnvs().groupSize(), "rollout.n was written");
    assertEquals(
        "code",
        Objects.requireNonNull(Objects.requireNonNull(run.customEnvs().get("Dataset")).agent())
            .type());
  }

  @Test
  void aScheduleHasALeastRateAndAPlateau() {
    RunConfig cosine =
        run(
            "algorithm.adv_estimator=gae",
            "actor_rollout_ref.actor.optim.lr_scheduler_type=cosine",
            "actor_rollout_ref.actor.optim.min_lr_ratio=0.1",
            "actor_rollout_ref.actor.optim.num_cycles=1.5",
            "critic.optim.lr=1.0e-5",
            "critic.optim.lr_decay_style=WSD",
            "critic.optim.min_lr=2.0e-6",
            "critic.optim.lr_wsd_decay_steps=3",
            "critic.optim.lr_wsd_decay_style=minus_sqrt");
    TrainingConfig actor = cosine.actorTrain().training();
    assertEquals("cosine", actor.scheduler());
    assertEquals(
        new SchedulerArgs(0.1, 1.5, 0, 0, Curve.LINEAR, Curve.COSINE), actor.schedulerArgs());
    TrainingConfig critic = Objects.requireNonNull(cosine.critic()).worker().training();
    assertEquals("warmup_stable_decay", critic.scheduler());
    assertEquals(0.2, critic.schedulerArgs().minimum(), 1e-12);
    assertEquals(3, critic.schedulerArgs().decaySteps());
    assertEquals(critic.totalSteps() - 3, critic.schedulerArgs().stableSteps());
    assertEquals(Curve.SQRT, critic.schedulerArgs().decay());
  }

  @Test
  void aScheduleWithoutALeastRateSaysSo() {
    assertTrue(
        load("actor_rollout_ref.actor.optim.min_lr_ratio=0.1")
            .notices()
            .contains(
                "key 'actor_rollout_ref.actor.optim.min_lr_ratio' has no effect here: the schedule"
                    + " is constant"));
  }

  @Test
  void aCriticMayHaveKeysOfBoth() {
    RunConfig run =
        run(
            "algorithm.adv_estimator=gae",
            "critic.optim.lr=2e-5",
            "critic.cliprange_value=0.25",
            "critic.ppo_micro_batch_size_per_gpu=4",
            "critic.infer_batch_size=3");
    var critic = Objects.requireNonNull(run.critic());
    assertEquals(2e-5, critic.worker().training().learningRate());
    assertEquals(0.25, critic.valueClip());
    assertEquals(4, critic.worker().training().microBatch());
    assertEquals(2, critic.worker().training().accumulation());
    assertEquals(3, critic.worker().inferBatchSize());
  }

  @Test
  void aliasesGiveWay() {
    LoadedConfig loaded =
        load(
            "agent.agent_type=react",
            "agent.init_args.agent_type=hf",
            "agent.init_config.agent_type=hf",
            "agent.run_config.max_turns=2",
            "agent.run_config.generation_config.max_tokens=7",
            "data.train_files=f");
    var env = Objects.requireNonNull(loaded.run().customEnvs().get("Dataset"));
    assertEquals("hf", Objects.requireNonNull(env.agent()).type());
    assertEquals(2, env.maxSteps());
    assertEquals(7, env.maxTokensPerStep());
    assertTrue(
        loaded
            .notices()
            .contains(
                "key 'agent.agent_type' gives way to 'agent.init_args.agent_type', which is hf"),
        loaded.notices().toString());
  }

  @Test
  void withoutAnAgentThereIsOneTurn() {
    LoadedConfig loaded = load("agent.use_agent=false", "agent.max_turns=3", "data.train_files=f");
    var env = Objects.requireNonNull(loaded.run().customEnvs().get("Dataset"));
    assertNull(env.agent());
    assertEquals(1, env.maxSteps());
    assertTrue(
        loaded
            .notices()
            .contains("key 'agent.max_turns' has no effect here: agent.use_agent is false"));
  }

  /** The environment may be written in our keys, and the rest in theirs. */
  @Test
  void aDatasetOfOursTakesTheirAgent() {
    String files = "custom_envs.Dataset.env_config={train_files: f, val_files: v}";
    RunConfig run =
        run(
            "custom_envs={}",
            "custom_envs.Dataset.env_type=dataset",
            files,
            "agent.tools=[calculator]",
            "agent.max_turns=2",
            "agent.reward_name=Math_Equal_Reward",
            "trainer.test_freq=5",
            "trainer.val_before_train=False",
            "custom_envs.Dataset.rewards.length=0.5");
    var env = Objects.requireNonNull(run.customEnvs().get("Dataset"));
    assertEquals(2, env.maxSteps());
    assertEquals(
        List.of("length", "math_equal_reward"),
        env.rewards().stream().map(reward -> reward.reward()).toList());
    assertEquals(5, run.schedule().evalSteps());
    assertFalse(run.schedule().valBeforeTrain());
  }

  @Test
  void clippingAndLosses() {
    assertEquals(0.3, run("actor_rollout_ref.actor.clip_ratio=0.3").algorithm().loss().clipHigh());
    var sides = run("actor_rollout_ref.actor.clip_ratio_high=0.28").algorithm().loss();
    assertEquals(0.2, sides.clipLow());
    assertEquals(0.28, sides.clipHigh());
    assertEquals("ppo", sides.loss());
    assertEquals(
        "gmpo",
        run("actor_rollout_ref.actor.policy_loss.loss_mode=geo_mean").algorithm().loss().loss());
    assertEquals(
        Map.of("norm_adv_by_std_in_grpo", false),
        run("algorithm.norm_adv_by_std_in_grpo=False").algorithm().estimatorArgs());
    var kl = run("algorithm.use_kl_in_reward=True", "algorithm.kl_ctrl.type=adaptive");
    assertEquals(0.001, kl.algorithm().kl().initialCoefficient());
    assertEquals(0.1, kl.algorithm().kl().target());
  }

  @Test
  void whereItWritesAndGoesOn() {
    RunConfig run =
        run("trainer.default_local_dir=checkpoints/p/e/", "trainer.resume_mode=disable");
    assertEquals(Path.of("checkpoints/p/e"), run.outputDir());
    assertFalse(run.schedule().resume());
    assertEquals(
        Path.of("checkpoints/p/all/mine"),
        run("trainer.default_local_dir=checkpoints/p/all", "trainer.experiment_name=mine")
            .outputDir());
    assertEquals(
        folder,
        run("trainer.resume_mode=resume_path", "trainer.resume_from_path=" + folder)
            .schedule()
            .resumeFrom());
    assertEquals(
        List.of("console", "tensorboard", "jsonl"),
        run("trainer.logger=[tensorboard,file]").trackers());
  }

  @Test
  void severalDevicesShareWhatIsTrained() {
    RunConfig run =
        run("trainer.n_gpus_per_node=2", "actor_rollout_ref.actor.fsdp_config.param_offload=True");
    assertEquals("fsdp2_train", run.actorTrain().strategy());
    assertEquals(Map.of("offload_policy", true), run.actorTrain().strategyOptions().values());
    assertEquals(2, run.actorTrain().training().accumulation());
    assertEquals(
        "megatron_train",
        run(
                "trainer.n_gpus_per_node=2",
                "actor_rollout_ref.actor.strategy=megatron",
                "actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2")
            .actorTrain()
            .strategy());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "actor_rollout_ref.actor.ppo_mini_batchsize=3 | unknown option"
            + " 'actor_rollout_ref.actor.ppo_mini_batchsize'; did you mean"
            + " 'actor_rollout_ref.actor.ppo_mini_batch_size'?",
        "agent.init_args.tool=[x] | unknown option 'agent.init_args.tool'; did you mean"
            + " 'agent.init_args.tools'?",
        "trainer.kl_penalty=kl | unknown option 'trainer.kl_penalty'; did you mean"
            + " 'algorithm.kl_penalty'?",
        "trainers.save_freq=3 | unknown key 'trainers'; did you mean 'trainer'?",
        "critic.ppo_mini_batchsize=3 | unknown option 'critic.ppo_mini_batchsize'; did you mean"
            + " 'critic.ppo_mini_batch_size'?",
        "trainer.resume_mode=never | trainer.resume_mode: expected one of auto, disable,"
            + " resume_path, found 'never'",
        "trainer.resume_mode=resume_path | trainer.resume_mode: resume_path needs"
            + " trainer.resume_from_path",
        "data.train_batch_size=many | data.train_batch_size: expected a whole number of at least 1,"
            + " found 'many'",
        "data.seed=3 seed=4 | data.seed says what 'seed' says (override 'seed=4'): keep one of"
            + " them",
        "reward_model.enable=True | 'reward_model.enable' is not supported: a reward that asks a"
            + " model is a bundle: custom_envs.Dataset.rewards",
        "actor_rollout_ref.actor.ppo_mini_batch_size=9 |"
            + " actor_rollout_ref.actor.ppo_mini_batch_size: 9 questions of a mini-batch, and a"
            + " step has only data.train_batch_size = 8",
        "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=3 |"
            + " actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu: ppo_mini_batch_size ×"
            + " rollout.n / devices = 4 × 2 / 1 = 8 is no multiple of ppo_micro_batch_size_per_gpu"
            + " = 3",
      })
  void whatIsWrongIsSaid(String overrides, String message) {
    String[] given = overrides.split(" ", -1);
    assertEquals("override '" + given[0] + "': " + message, complaint(given));
  }

  @Test
  void whatDoesNothingIsSaidUnlessItIsTheDefault() {
    List<String> notices =
        new ArrayList<>(
            load(
                    "trainer.balance_batch=True",
                    "trainer.device=cuda",
                    "ray_init.num_cpus=8",
                    "actor_rollout_ref.actor.kl_loss_coef=0.1")
                .notices());
    assertTrue(notices.removeFirst().startsWith("key 'trainer.device' has no effect here"));
    assertEquals("key 'ray_init' has no effect here: there is no Ray", notices.removeFirst());
    assertTrue(notices.removeFirst().startsWith("read as a run of verl's; not given, so: "));
    assertEquals(
        List.of(
            "key 'actor_rollout_ref.actor.kl_loss_coef' has no effect here: use_kl_loss is false"),
        notices);
  }

  /** Every default of the table is of the option's own type. */
  @Test
  void defaultsFitTheirTypes() {
    for (VerlKey key : new VerlTable().keys()) {
      for (Object standard : new Object[] {key.standard(false), key.standard(true)}) {
        assertTrue(standard == null || key.type().accepts(standard), key.path());
      }
    }
  }

  /** What is named as ours is a key of ours, and what an alias stands for an option. */
  @Test
  void whatOptionsBecomeExists() {
    VerlTable table = new VerlTable();
    List<String> unknown = new ArrayList<>();
    for (VerlKey key : table.keys()) {
      boolean known =
          key.ours().isEmpty()
              || (key.how() == VerlKey.How.ALIAS
                  ? table.get(key.ours()) != null
                  : ours(key.ours()));
      if (!known) {
        unknown.add(key.path() + " → " + key.ours());
      }
    }
    assertEquals(List.of(), unknown);
  }

  private static boolean ours(String path) {
    Schema schema = new Schema();
    String section = Schema.RUN;
    for (String name : Tree.keys(path.replace("custom_envs.Dataset", "custom_envs"))) {
      Key key = schema.section(section).get(name);
      if (key == null) {
        return false;
      }
      if (!(key.type() instanceof ValueType.Sub sub)) {
        return true; // what is inside a mapping is somebody else's
      }
      section = sub.section();
    }
    return true;
  }
}
