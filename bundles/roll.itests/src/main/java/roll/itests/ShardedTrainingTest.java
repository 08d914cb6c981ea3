package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.itests.ShardedRuns.Spread;

/** The policy learns the same in any layout as on one device. */
@Tag("framework")
@Timeout(240)
class ShardedTrainingTest {
  private final ShardedRuns runs;

  ShardedTrainingTest(@TempDir Path folder) {
    this.runs = new ShardedRuns(folder);
  }

  @Test
  void oneOptimizerStepOfEveryLayoutIsThatOfOneDevice() throws Exception {
    List<Spread> all = new ArrayList<>();
    for (int devices : new int[] {1, 2, 4}) {
      for (int stage = 0; stage <= 3; stage++) {
        all.add(Spread.zero(devices, stage));
      }
    }
    all.add(Spread.megatron(1, 1, 2, ""));
    all.add(Spread.megatron(1, 1, 2, ", sequence_parallel: true"));
    all.add(Spread.megatron(1, 2, 1, ", recompute_granularity: selective"));
    all.add(Spread.megatron(1, 2, 2, ", recompute_granularity: full"));
    all.add(Spread.megatron(2, 1, 2, ", use_distributed_optimizer: true"));
    Path alone = oneStep("alone", Spread.ALONE, runs.dump());
    Path start =
        oneStep("start", Spread.ALONE, runs.read(), "actor_train.training_args.learning_rate=0");
    assertFalse(
        Arrays.equals(
            ShardedRuns.weights(start).get("lm_head.weight"),
            ShardedRuns.weights(alone).get("lm_head.weight")),
        "something was learned");
    for (int i = 0; i < all.size(); i++) {
      ShardedRuns.assertClose(alone, oneStep("spread" + i, all.get(i), runs.read()), all.get(i));
    }
  }

  /** Returns the checkpoint after one optimizer step. */
  private Path oneStep(String name, Spread spread, String... more) throws Exception {
    List<String> overrides = new ArrayList<>(spread.of("actor_train", 32));
    overrides.add("max_steps=1");
    overrides.addAll(List.of(more));
    return runs.train(name, spread, overrides.toArray(String[]::new)).resolve("checkpoint-1");
  }

  /**
   * To a thousandth of what they are, or of 0.01 where they are smaller. Log-probs before the
   * updates are the trainer's too, so that it is seen to score as well.
   */
  @Test
  void theCurveOfTwentyStepsIsThatOfOneDevice() throws Exception {
    int steps = 20;
    String[] keys = {
      "max_steps=" + steps,
      "save_steps=100",
      "actor_train.training_args.learning_rate=1e-3",
      "force_disable_old_logprobs_recompute=false"
    };
    Map<Integer, Map<String, String>> alone =
        RunAssertions.metrics(runs.train("alone", Spread.ALONE, with(keys, runs.dump())));
    for (Spread spread : List.of(Spread.zero(2, 3), Spread.megatron(1, 1, 2, ""))) {
      Map<Integer, Map<String, String>> found =
          RunAssertions.metrics(runs.train(spread.strategy(), spread, with(keys, runs.read())));
      for (int step = 0; step < steps; step++) {
        for (String name :
            List.of(
                "rollout/score/mean",
                "critic/old_log_prob/mean",
                "actor/pg_loss",
                "actor_train/grad_norm")) {
          double expected = ShardedRuns.metric(alone, step, name);
          assertEquals(
              expected,
              ShardedRuns.metric(found, step, name),
              1e-3 * Math.max(Math.abs(expected), 1e-2),
              spread + ", step " + step + ", " + name);
        }
      }
    }
  }

  private static String[] with(String[] keys, String more) {
    List<String> all = new ArrayList<>(List.of(keys));
    all.add(more);
    return all.toArray(String[]::new);
  }

  /** A layout is reproducible, including rollouts by an engine on the same devices. */
  @Test
  void aLayoutRepeatsBitForBit() throws Exception {
    for (Spread spread : List.of(Spread.zero(4, 3), Spread.megatron(1, 2, 2, ""))) {
      String[] keys = {
        "max_steps=4", "save_steps=2", "actor_infer.strategy_args={strategy_name: vllm}"
      };
      Path once = runs.train(spread.strategy(), spread, keys);
      RunAssertions.assertSameRun(once, runs.train(spread.strategy() + "-again", spread, keys));
    }
  }
}
