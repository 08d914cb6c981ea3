package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.OptimizerName;
import roll.api.config.SchedulerArgs;
import roll.api.config.SchedulerArgs.Curve;
import roll.api.config.SchedulerArgs.Shares;
import roll.api.config.SequencePacking;
import roll.api.config.TokenBudgets;
import roll.api.config.TrainingConfig;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;

/** The typed configuration of devices, micro-batches and the optimizer. */
class TrainingKeysTest extends SmallConfigFixture {
  @Test
  void theMachineIsDividedIntoDevicesOfAllNodes() {
    assertEquals(0, run().devices().count());
    assertEquals(2, run("num_gpus_per_node=2").devices().count());
    assertEquals(16, run("num_gpus_per_node=8", "num_nodes=2").devices().count());
    assertEquals(0, run("num_nodes=2").devices().count());
    assertEquals(0, run().devices().memory());
    assertEquals(5L << 29, run("device_memory_gb=2.5").devices().memory());
    String refused = userError(() -> run("num_gpus_per_node=0"));
    assertTrue(refused.contains("num_gpus_per_node: expected"), refused);
  }

  @Test
  void determinismIsAskedForAtTheTopOrAsAnArgumentOfTraining() {
    assertFalse(run().devices().fullDeterminism());
    assertFalse(
        run("actor_train.training_args.full_determinism=false").devices().fullDeterminism());
    assertTrue(run("full_determinism=true").devices().fullDeterminism());
    assertTrue(run("actor_train.training_args.full_determinism=true").devices().fullDeterminism());
    assertTrue(
        run("adv_estimator=gae", "critic.training_args.full_determinism=true")
            .devices()
            .fullDeterminism());
    String refused = userError(() -> run("full_determinism=sometimes"));
    assertTrue(refused.contains("full_determinism: expected"), refused);
  }

  @Test
  void replicasAreTheDevicesOverThoseOfOneCopy() {
    assertEquals(1, run().roles().actorTrain().training().replicas());
    String eight = "actor_train.device_mapping=list(range(0,8))";
    TrainingConfig split =
        run(
                eight,
                "actor_train.training_args.gradient_accumulation_steps=3",
                "actor_train.strategy_args.strategy_config={tensor_model_parallel_size: 2,"
                    + " pipeline_model_parallel_size: 2}")
            .roles()
            .actorTrain()
            .training();
    assertEquals(2, split.replicas());
    assertEquals(4 * 3 * 2, split.effectiveBatch());

    RunConfig two = run("adv_estimator=gae", "critic.device_mapping=[0,1]");
    TrainingConfig critic = Objects.requireNonNull(two.roles().critic()).worker().training();
    assertEquals(2, critic.replicas());
    // 8 trajectories and 10 steps, 2 replicas of per_device_train_batch_size 8
    assertEquals(10, critic.totalSteps());
    assertEquals(1, two.roles().actorTrain().training().replicas());

    assertEquals(
        "override '"
            + eight
            + "': actor_train.device_mapping: 8 devices, no multiple of"
            + " tensor_model_parallel_size × pipeline_model_parallel_size of"
            + " actor_train.strategy_args.strategy_config = 3 × 1 = 3",
        refusal(eight, "actor_train.strategy_args.strategy_config.tensor_model_parallel_size=3"));
    assertEquals(
        "override 'actor_train.strategy_args.strategy_config={tensor_model_parallel_size: two}':"
            + " actor_train.strategy_args.strategy_config.tensor_model_parallel_size: expected an"
            + " integer from 1 to 4096, found 'two'",
        refusal("actor_train.strategy_args.strategy_config={tensor_model_parallel_size: two}"));
  }

  @Test
  void microBatchesMayBeCountedInTokens() {
    assertEquals(new TokenBudgets(0, 0, null, true), run().roles().actorTrain().budgets());
    RunConfig run =
        run(
            "actor_train.use_dynamic_batching_in_train=true",
            "actor_train.max_tokens_per_microbatch_in_train=4096",
            "actor_train.use_dynamic_batching_in_infer=true",
            "actor_train.max_tokens_per_microbatch_in_infer=8192");
    assertEquals(new TokenBudgets(4096, 8192, null, true), run.roles().actorTrain().budgets());
    String refused = userError(() -> run("actor_train.use_dynamic_batching_in_train=true"));
    assertTrue(
        refused.endsWith(
            "actor_train.max_tokens_per_microbatch_in_train: expected a number of tokens where"
                + " use_dynamic_batching_in_train is true, found '0'"),
        refused);
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
    assertEquals(
        new TokenBudgets(200, 300, new SequencePacking(false, 1, 1), true),
        run.roles().actorTrain().budgets());
    String arguments =
        "actor_train.sequence_packing_args={algorithm: load_balance,"
            + " max_packed_sequence_length_train: 500, max_packed_sequence_length_forward: 700,"
            + " min_num_micro_batches_train: 2, min_num_micro_batches_forward: 3}";
    assertEquals(
        new TokenBudgets(500, 700, new SequencePacking(true, 2, 3), true),
        run("actor_train.use_sequence_packing=true", arguments).roles().actorTrain().budgets());
    LoadedConfig idle = load(arguments);
    assertEquals(new TokenBudgets(0, 0, null, true), idle.run().roles().actorTrain().budgets());
    assertEquals(
        List.of(
            "key 'actor_train.sequence_packing_args' has no effect here: use_sequence_packing is"
                + " false"),
        idle.notices());
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
    SchedulerArgs share =
        new SchedulerArgs(0, 0.5, 0, 0, Curve.LINEAR, Curve.COSINE, new Shares(0.11, 0, false));
    // 8 trajectories / (2 × 2) × 3 epochs × 10 steps = 60 updates; 0.11 of them, rounded up
    assertEquals(
        new TrainingConfig(
            1e-6, 0.1, 0.9, 0.95, 2, 2, 1, "constant", 7, 60, share, OptimizerName.ADAMW),
        run.roles().actorTrain().training());
  }

  @ParameterizedTest
  @CsvSource({
    "optimizer, adamw, ADAMW",
    "optimizer, adam, ADAMW",
    "optimizer, muon, MUON",
    "optim, adamw_torch, ADAMW",
    "optim, adamw_torch_fused, ADAMW",
    "optimizer, adamw_8bit, ADAMW_8BIT",
    "optim, adamw_8bit, ADAMW_8BIT",
    "optim, adamw_bnb_8bit, ADAMW_8BIT",
    "optim, muon, MUON"
  })
  void theOptimizerHasTheNamesOfOthers(String key, String name, OptimizerName expected) {
    RunConfig run = run("adv_estimator=gae", "actor_train.training_args." + key + "=" + name);
    assertEquals(expected, run.roles().actorTrain().training().optimizer());
    RunConfig critic = run("adv_estimator=gae", "critic.training_args." + key + "=" + name);
    assertEquals(
        expected, Objects.requireNonNull(critic.roles().critic()).worker().training().optimizer());
    assertEquals(OptimizerName.ADAMW, critic.roles().actorTrain().training().optimizer());
  }

  @Test
  void otherOptimizersAreRefusedByName() {
    for (String other : List.of("optim=adafactor", "optim=lion_8bit", "optimizer=sgd")) {
      String refused = refusal("actor_train.training_args." + other);
      String[] words = other.split("=", -1);
      assertTrue(refused.contains("." + words[0] + ":") && refused.contains(words[1]), refused);
      assertEquals(1, refused.lines().count());
    }
    String two =
        refusal(
            "actor_train.training_args.optimizer=muon",
            "actor_train.training_args.optim=adamw_torch");
    assertTrue(
        two.endsWith(
            "actor_train.training_args.optimizer is muon, actor_train.training_args.optim is"
                + " adamw_torch: keep one"),
        two);
    assertEquals(
        OptimizerName.MUON,
        run("actor_train.training_args={optimizer: muon, optim: muon}")
            .roles()
            .actorTrain()
            .training()
            .optimizer());
  }

  private String refusal(String... overrides) {
    return userError(() -> run(overrides));
  }
}
