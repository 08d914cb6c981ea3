package roll.config.verl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.RewardConfig;
import roll.api.config.SchedulerArgs;
import roll.api.config.SchedulerArgs.Curve;
import roll.api.config.TrainingConfig;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;

/** Translation of verl's options, alone and together with our keys. */
class VerlOptionsTest {
  private final Path folder;
  private final VerlFiles verl;

  VerlOptionsTest(@TempDir Path folder) {
    this.folder = folder;
    this.verl = new VerlFiles(folder);
  }

  @Test
  void defaultsAreThoseOfVerl() {
    RunConfig run = verl.run();
    assertEquals(128, run.sequenceLength());
    assertEquals(16, run.schedule().rolloutBatchSize());
    assertEquals(0, run.schedule().checkpoints().saveSteps());
    assertEquals(0, run.schedule().validation().evalSteps());
    assertEquals(1, run.algorithm().estimator().gamma());
    assertEquals(1, run.algorithm().estimator().lambda());
    assertEquals(0, run.algorithm().loss().klCoefficient());
    assertEquals(0, run.algorithm().loss().entropyCoefficient());
    assertEquals(1e-6, run.roles().actorTrain().training().learningRate());
    assertEquals(0.01, run.roles().actorTrain().training().weightDecay());
    assertEquals(4, run.roles().actorTrain().training().accumulation());
    assertEquals(1, run.rollout().trainEnvs().sampling().temperature());
    assertEquals(1, run.rollout().trainEnvs().sampling().topP());
    assertNull(run.roles().reference());
    assertTrue(run.roles().actorTrain().model().checkpointing());
  }

  /** verl's {@code dp_actor.py}: logits.div_(temperature), that of the rollouts. */
  @Test
  void logitsAreDividedByTheTemperatureOfRollouts() {
    String key = "actor_rollout_ref.rollout.temperature=";
    for (double temperature : new double[] {0.6, 1, 0}) {
      RunConfig run = verl.run(key + temperature);
      assertEquals(temperature, run.rollout().trainEnvs().sampling().temperature());
      double divisor = temperature == 0 ? 1 : temperature;
      assertEquals(divisor, run.roles().actorTrain().model().temperature());
      assertEquals(divisor, run.roles().actorInfer().model().temperature());
    }
    RunConfig plain = verl.run(key + 0.6, "actor_rollout_ref.rollout.do_sample=False");
    assertEquals(1, plain.roles().actorTrain().model().temperature());
  }

  @Test
  void theChatTemplateSeesWhatTheirsSees() {
    assertEquals(Map.of(), verl.run().roles().actorInfer().chatTemplateKwargs());
    assertEquals(
        Map.of("enable_thinking", false),
        verl.run("data.apply_chat_template_kwargs.enable_thinking=False")
            .roles()
            .actorInfer()
            .chatTemplateKwargs());
  }

  @Test
  void anAgentsRunHasOtherDefaults() {
    RunConfig run = verl.run("agent.max_turns=3", "data.train_files=f");
    assertEquals(0.001, run.algorithm().loss().klCoefficient());
    assertEquals(0.001, run.algorithm().loss().entropyCoefficient());
    assertNotNull(run.roles().reference());
    assertEquals(2, run.rollout().trainEnvs().groupSize(), "rollout.n was written");
    assertEquals(
        "code",
        Objects.requireNonNull(
                Objects.requireNonNull(run.rollout().customEnvs().get("Dataset")).agent())
            .type());
  }

  @Test
  void aScheduleHasALeastRateAndAPlateau() {
    RunConfig cosine =
        verl.run(
            "algorithm.adv_estimator=gae",
            "actor_rollout_ref.actor.optim.lr_scheduler_type=cosine",
            "actor_rollout_ref.actor.optim.min_lr_ratio=0.1",
            "actor_rollout_ref.actor.optim.num_cycles=1.5",
            "critic.optim.lr=1.0e-5",
            "critic.optim.lr_decay_style=WSD",
            "critic.optim.min_lr=2.0e-6",
            "critic.optim.lr_wsd_decay_steps=3",
            "critic.optim.lr_wsd_decay_style=minus_sqrt");
    TrainingConfig actor = cosine.roles().actorTrain().training();
    assertEquals("cosine", actor.scheduler());
    assertEquals(
        new SchedulerArgs(0.1, 1.5, 0, 0, Curve.LINEAR, Curve.COSINE), actor.schedulerArgs());
    TrainingConfig critic = Objects.requireNonNull(cosine.roles().critic()).worker().training();
    assertEquals("warmup_stable_decay", critic.scheduler());
    assertEquals(0.2, critic.schedulerArgs().minimum(), 1e-12);
    assertEquals(3 * 2, critic.schedulerArgs().decaySteps(), "a training step has 2 mini-batches");
    assertEquals(critic.totalSteps() - 3 * 2, critic.schedulerArgs().stableSteps());
    assertEquals(Curve.SQRT, critic.schedulerArgs().decay());
  }

  /** verl's schedules count training steps, ours the optimizer steps in them. */
  @Test
  void aWarmUpIsAsLongAsThatOfVerl() {
    int each = updates(verl.run());
    String warmup = "actor_rollout_ref.actor.optim.lr_warmup_steps=3";
    assertEquals(3 * each, verl.run(warmup).roles().actorTrain().training().warmupSteps());
    String passes = "actor_rollout_ref.actor.ppo_epochs=2";
    assertEquals(
        3 * 2 * each, verl.run(warmup, passes).roles().actorTrain().training().warmupSteps());
    RunConfig small = verl.run(warmup, "actor_rollout_ref.actor.ppo_mini_batch_size=2");
    assertEquals(3 * updates(small), small.roles().actorTrain().training().warmupSteps());
    assertTrue(updates(small) > each);
    RunConfig plateau =
        verl.run(
            "actor_rollout_ref.actor.optim.lr_decay_style=WSD",
            "actor_rollout_ref.actor.optim.lr_wsd_decay_steps=2",
            passes);
    assertEquals(
        2 * 2 * each, plateau.roles().actorTrain().training().schedulerArgs().decaySteps());
  }

  /** Optimizer steps of a training step. */
  private static int updates(RunConfig run) {
    return run.roles().actorTrain().training().totalSteps() / run.schedule().maxSteps();
  }

  @Test
  void aCriticMayHaveKeysOfBoth() {
    RunConfig run =
        verl.run(
            "algorithm.adv_estimator=gae",
            "critic.optim.lr=2e-5",
            "critic.cliprange_value=0.25",
            "critic.ppo_micro_batch_size_per_gpu=4",
            "critic.infer_batch_size=3");
    var critic = Objects.requireNonNull(run.roles().critic());
    assertEquals(2e-5, critic.worker().training().learningRate());
    assertEquals(0.25, critic.valueClip());
    assertEquals(4, critic.worker().training().microBatch());
    assertEquals(2, critic.worker().training().accumulation());
    assertEquals(3, critic.worker().inferBatchSize());
  }

  @Test
  void withoutAnAgentThereIsOneTurn() {
    LoadedConfig loaded =
        verl.load("agent.use_agent=false", "agent.max_turns=3", "data.train_files=f");
    var env = Objects.requireNonNull(loaded.run().rollout().customEnvs().get("Dataset"));
    assertNull(env.agent());
    assertEquals(1, env.limits().maxSteps());
    assertTrue(
        loaded
            .notices()
            .contains("key 'agent.max_turns' has no effect here: agent.use_agent is false"));
  }

  /** The environment may be written in our keys, and the rest in theirs. */
  @Test
  void aFunctionOfTheirsIsTheReward() {
    RunConfig run =
        verl.run(
            "data.train_files=rows.jsonl",
            "custom_reward_function.path=my_reward.py",
            "custom_reward_function.name=score",
            "+custom_reward_function.reward_kwargs.scale=2");
    var env = Objects.requireNonNull(run.rollout().customEnvs().get("Dataset"));
    assertEquals(
        List.of(
            new RewardConfig(
                "python",
                1,
                Map.of(
                    "path", "my_reward.py", "name", "score", "reward_kwargs", Map.of("scale", 2)))),
        env.rewards());
  }

  @Test
  void aDatasetOfOursTakesTheirAgent() {
    String files = "custom_envs.Dataset.env_config={train_files: f, val_files: v}";
    RunConfig run =
        verl.run(
            "custom_envs={}",
            "custom_envs.Dataset.env_type=dataset",
            files,
            "agent.tools=[calculator]",
            "agent.max_turns=2",
            "agent.reward_name=Math_Equal_Reward",
            "trainer.test_freq=5",
            "trainer.val_before_train=False",
            "custom_envs.Dataset.rewards.length=0.5");
    var env = Objects.requireNonNull(run.rollout().customEnvs().get("Dataset"));
    assertEquals(2, env.limits().maxSteps());
    assertEquals(
        List.of("length", "math_equal_reward"),
        env.rewards().stream().map(reward -> reward.reward()).toList());
    assertEquals(5, run.schedule().validation().evalSteps());
    assertFalse(run.schedule().validation().beforeTrain());
  }

  /** verl's two bounds have defaults, so that the common one counts only for a bound of null. */
  @Test
  void theCommonClipRatioIsOfABoundThatIsNull() {
    String clip = "actor_rollout_ref.actor.clip_ratio";
    List<String> notice =
        List.of(
            "key 'actor_rollout_ref.actor.clip_ratio' has no effect here: as in verl it is the"
                + " bound only where clip_ratio_low or clip_ratio_high is null");
    LoadedConfig alone = verl.load(clip + "=0.3");
    assertEquals(0.2, alone.run().algorithm().loss().clipLow());
    assertEquals(0.2, alone.run().algorithm().loss().clipHigh());
    assertEquals(notice, clipNotices(alone));
    LoadedConfig upper = verl.load(clip + "=0.3", clip + "_high=null");
    assertEquals(0.2, upper.run().algorithm().loss().clipLow());
    assertEquals(0.3, upper.run().algorithm().loss().clipHigh());
    LoadedConfig both = verl.load(clip + "=0.3", clip + "_low=null", clip + "_high=null");
    assertEquals(0.3, both.run().algorithm().loss().clipLow());
    assertEquals(0.3, both.run().algorithm().loss().clipHigh());
    assertEquals(List.of(), clipNotices(both));
    assertEquals(List.of(), clipNotices(upper));
    assertEquals(
        Map.of("cispo_epsilon_low", 0.2, "cispo_epsilon_high", 0.3),
        verl.run(
                "actor_rollout_ref.actor.policy_loss.loss_mode=cispo",
                clip + "=0.3",
                clip + "_high=null")
            .algorithm()
            .loss()
            .args());
  }

  private static List<String> clipNotices(LoadedConfig loaded) {
    return loaded.notices().stream().filter(line -> line.contains("clip_ratio'")).toList();
  }

  @Test
  void clippingAndLosses() {
    var sides = verl.run("actor_rollout_ref.actor.clip_ratio_high=0.28").algorithm().loss();
    assertEquals(0.2, sides.clipLow());
    assertEquals(0.28, sides.clipHigh());
    assertEquals("ppo", sides.loss());
    assertEquals(
        "gmpo",
        verl.run("actor_rollout_ref.actor.policy_loss.loss_mode=geo_mean")
            .algorithm()
            .loss()
            .loss());
    var dppo =
        verl.run(
                "actor_rollout_ref.actor.policy_loss.loss_mode=dppo_kl",
                "actor_rollout_ref.actor.clip_ratio_high=0.15")
            .algorithm()
            .loss();
    assertEquals("dppo", dppo.loss());
    assertEquals(Map.of("divergence", "kl", "clip_ratio_c", 3.0), dppo.args());
    assertEquals(0.15, dppo.clipHigh());
    assertEquals(
        Map.of("norm_adv_by_std_in_grpo", false),
        verl.run("algorithm.norm_adv_by_std_in_grpo=False").algorithm().estimator().args());
    var kl = verl.run("algorithm.use_kl_in_reward=True", "algorithm.kl_ctrl.type=adaptive");
    assertEquals(0.001, kl.algorithm().kl().initialCoefficient());
    assertEquals(0.1, kl.algorithm().kl().target());
  }

  @Test
  void whereItWritesAndGoesOn() {
    RunConfig run =
        verl.run("trainer.default_local_dir=checkpoints/p/e/", "trainer.resume_mode=disable");
    assertEquals(Path.of("checkpoints/p/e"), run.outputDir());
    assertFalse(run.schedule().checkpoints().resume());
    assertEquals(
        Path.of("checkpoints/p/all/mine"),
        verl.run("trainer.default_local_dir=checkpoints/p/all", "trainer.experiment_name=mine")
            .outputDir());
    assertEquals(
        folder,
        verl.run("trainer.resume_mode=resume_path", "trainer.resume_from_path=" + folder)
            .schedule()
            .checkpoints()
            .resumeFrom());
    assertEquals(
        List.of("console", "tensorboard", "jsonl"),
        verl.run("trainer.logger=[tensorboard,file]").tracking().trackers());
  }

  @Test
  void severalDevicesShareWhatIsTrained() {
    RunConfig run =
        verl.run(
            "trainer.n_gpus_per_node=2", "actor_rollout_ref.actor.fsdp_config.param_offload=True");
    assertEquals("fsdp2_train", run.roles().actorTrain().strategy());
    assertEquals(
        Map.of("offload_policy", true), run.roles().actorTrain().strategyOptions().values());
    assertEquals(2, run.roles().actorTrain().training().accumulation());
    assertEquals(
        "megatron_train",
        verl.run(
                "trainer.n_gpus_per_node=2",
                "actor_rollout_ref.actor.strategy=megatron",
                "actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2")
            .roles()
            .actorTrain()
            .strategy());
  }
}
