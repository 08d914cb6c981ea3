package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.runtime.config.CriticConfig;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.algorithm.KlConfig;

/** The typed configuration of roles. */
class RolesTest extends SmallConfigFixture {
  private static final String OWN = "actor_infer.data_args.template=native";

  @Test
  void theReferenceExistsWhereSomethingReadsIt() {
    assertNull(run("init_kl_coef=0.2").roles().reference());
    assertNotNull(run("use_kl_loss=true").roles().reference());
    assertNotNull(run("add_token_level_kl=true").roles().reference());
    assertNotNull(run("enable_reference=true").roles().reference());

    LoadedConfig idle = load("reference={infer_batch_size: 2, name: x}");
    assertNull(idle.run().roles().reference());
    assertEquals(
        List.of(
            "key 'reference' has no effect here: use_kl_loss, add_token_level_kl and"
                + " enable_reference are false"),
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
    CriticConfig critic = Objects.requireNonNull(run.roles().critic());
    assertEquals(0.5, critic.valueClip());
    assertEquals(3, critic.warmup());
    assertEquals("critic", critic.worker().role());
    assertEquals("local_train", critic.worker().strategy());
    assertEquals(run.roles().pretrain(), critic.worker().model().folder());
    assertEquals(Dtype.BF16, critic.worker().model().dtype());
    assertEquals(1e-5, critic.worker().training().learningRate());
    assertEquals(3 * run.schedule().maxSteps(), critic.worker().training().totalSteps());
    assertNull(run("adv_estimator=grpo").roles().critic());
    assertNotNull(run("adv_estimator=mine", "critic={enable: true}").roles().critic());
    String refused = userError(() -> run("adv_estimator=gae", "critic.enable=false"));
    assertTrue(
        refused.endsWith("critic.enable: expected true with adv_estimator gae, found 'false'"),
        refused);
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
    WorkerConfig train = run.roles().actorTrain();
    assertEquals(List.of(0, 1), train.devices());
    assertEquals(Dtype.BF16, train.model().dtype());
    assertEquals(List.of("model.embed", "lm_head"), train.model().frozen());
    assertEquals(List.of(), run.roles().actorInfer().model().frozen());
    assertTrue(train.model().checkpointing());
    assertFalse(
        run("actor_train.model_args.disable_gradient_checkpointing=true")
            .roles()
            .actorTrain()
            .model()
            .checkpointing());
    assertFalse(train.model().wideLogits());
    assertTrue(run("actor_train.logits_in_fp32=true").roles().actorTrain().model().wideLogits());
    assertEquals("megatron_train", train.strategy());
    assertEquals(Map.of("a", 1), train.strategyOptions().values());
    assertEquals(folder.resolve("model"), train.model().folder());
    assertEquals(folder, run.roles().actorInfer().model().folder());
    assertEquals("qwen2_5", run.roles().actorInfer().template());
    assertEquals(3, run.roles().actorInfer().inferBatchSize());
    assertEquals(
        folder,
        run("pretrain=~", "actor_train.model_args.model_name_or_path=" + folder)
            .roles()
            .pretrain());
  }

  @Test
  void aChatTemplateSeesWhatItIsGiven() {
    assertEquals(Map.of("enable_thinking", false), run().roles().actorInfer().chatTemplateKwargs());
    String key = "actor_infer.data_args.chat_template_kwargs";
    assertEquals(Map.of(), run(OWN, key + "={}").roles().actorInfer().chatTemplateKwargs());
    assertEquals(
        Map.of("enable_thinking", true),
        run(OWN, key + ".enable_thinking=true").roles().actorInfer().chatTemplateKwargs());
    assertEquals(
        Map.of("enable_thinking", false),
        run("actor_infer.data_args.template=chatml", key + ".enable_thinking=false")
            .roles()
            .actorInfer()
            .chatTemplateKwargs(),
        "as a run's own config.yaml has it");
    assertEquals(
        "override '%s': %s: expected none where template is chatml, found '{x=1}'"
            .formatted(key + ".x=1", key),
        userError(() -> run("actor_infer.data_args.template=chatml", key + ".x=1")));
  }
}
