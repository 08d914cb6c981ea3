package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.itests.ShardedRuns.Spread;
import roll.runtime.config.ConfigLoader;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;

/** Every role may be sharded in its own layout. */
@Tag("framework")
@Timeout(240)
class ShardedRolesTest {
  private static final List<String> NAMES =
      List.of(
          "actor/pg_loss",
          "actor_train/grad_norm",
          "actor/kl_loss",
          "critic/ref_log_prob/mean",
          "critic/loss",
          "critic/grad_norm");

  private final Path folder;
  private final ShardedRuns runs;

  ShardedRolesTest(@TempDir Path folder) {
    this.folder = folder;
    this.runs = new ShardedRuns(folder);
  }

  @Test
  void actorCriticAndReferenceAreSpreadDifferently() throws Exception {
    Path alone = ppo("alone", Spread.ALONE, Spread.ALONE, "hf_infer", "{}", runs.dump());
    Path spread =
        ppo(
            "megatron_infer",
            Spread.megatron(1, 1, 2, ""),
            Spread.zero(2, 3),
            "megatron_infer",
            "{tensor_model_parallel_size: 2}",
            runs.read());
    assertSame(alone, spread);
    Path other =
        ppo(
            "deepspeed_infer",
            Spread.megatron(1, 2, 1, ""),
            Spread.zero(2, 2),
            "deepspeed_infer",
            "{zero_optimization: {stage: 3, stage3_param_persistence_threshold: 200}}",
            runs.read());
    assertSame(alone, other);
  }

  private static void assertSame(Path alone, Path spread) throws Exception {
    Map<Integer, Map<String, String>> expected = RunAssertions.metrics(alone);
    Map<Integer, Map<String, String>> found = RunAssertions.metrics(spread);
    for (int step = 0; step < 2; step++) {
      for (String name : NAMES) {
        assertEquals(
            ShardedRuns.metric(expected, step, name),
            ShardedRuns.metric(found, step, name),
            1e-3,
            name);
      }
    }
    ShardedRuns.assertClose(
        alone.resolve("checkpoint-2"), spread.resolve("checkpoint-2"), "the actor");
    ShardedRuns.assertClose(
        alone.resolve("checkpoint-2/critic"), spread.resolve("checkpoint-2/critic"), "the critic");
  }

  private Path ppo(
      String name, Spread actor, Spread critic, String reference, String config, String mock)
      throws Exception {
    List<String> overrides = new ArrayList<>(critic.of("critic", 32));
    overrides.addAll(actor.of("actor_train", 32));
    String devices = "device_mapping=list(range(0," + actor.devices() + "))";
    overrides.addAll(
        List.of(
            "actor_infer." + devices,
            "reference." + devices,
            "reference.strategy_args={strategy_name: %s, strategy_config: %s}"
                .formatted(reference, config),
            "use_kl_loss=true",
            "kl_loss_coef=0.1",
            "critic_warmup=0",
            "critic.training_args.warmup_steps=0",
            "critic.training_args.learning_rate=3e-4",
            "max_steps=2",
            mock));
    return runs.train("frozen_lake_ppo.yaml", name, overrides);
  }

  /**
   * The shipped small ClickAndRead run on eight devices, with a quarter of its episodes and two
   * turns.
   */
  @Test
  void clickAndReadRunsOnEightRanks() throws Exception {
    TrainingRun run =
        SmallRuns.service(Trainer.class)
            .start(
                SmallRuns.service(ConfigLoader.class)
                    .load(
                        SmallRuns.config("click_and_read_zero3_small.yaml"),
                        List.of(
                            "output_dir=" + folder,
                            "track_with=jsonl",
                            "eval_steps=0",
                            "rollout_batch_size=8",
                            "train_env_manager.num_env_groups=2",
                            "actor_train.training_args.gradient_accumulation_steps=1",
                            "max_actions_per_traj=2",
                            "pretrain=" + SmallRuns.config("models/webshop-tiny"))));
    assertEquals(2, run.outcome().get().steps());
    String metrics = Files.readString(run.folder().resolve("metrics.jsonl"));
    assertTrue(metrics.contains("actor/pg_loss"), metrics);
    assertTrue(Files.size(run.folder().resolve("checkpoint-2/model.safetensors")) > 0);
  }
}
