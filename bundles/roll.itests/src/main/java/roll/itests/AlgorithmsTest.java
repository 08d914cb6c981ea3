package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;
import roll.api.estimator.AdvantageEstimator;
import roll.runtime.pipeline.TrainingRun.Outcome;

/** Every registered advantage estimator and loss trains for two steps on FrozenLake. */
@Tag("framework")
@Timeout(300)
class AlgorithmsTest {
  private static final String LEAST_UPDATES =
      "actor_train.training_args.gradient_accumulation_steps=1";

  private final Path folder;

  AlgorithmsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @TestFactory
  Stream<DynamicTest> everyEstimatorTrains() throws Exception {
    return ids("estimator").map(id -> DynamicTest.dynamicTest(id, () -> train(id, settings(id))));
  }

  /** Returns the settings for the inputs that an estimator needs. */
  private static List<String> settings(String id) throws Exception {
    AdvantageEstimator estimator =
        SmallRuns.service(AdvantageEstimator.class, "(roll.estimator=" + id + ")");
    Set<ColumnKey<?>> needs = Set.copyOf(estimator.info().needs());
    List<String> settings = new ArrayList<>(List.of("adv_estimator=" + id));
    if (needs.contains(Batch.VALUES)) {
      settings.add("critic.enable=true");
      settings.add("critic.strategy_args.strategy_name=local_train");
    }
    if (needs.contains(Batch.SUM_PI_SQUARED)) {
      settings.add("force_disable_old_logprobs_recompute=false");
    }
    if (needs.contains(Batch.REFERENCE_LOG_PROBS)) {
      settings.add("enable_reference=true");
    }
    if (needs.contains(Batch.REWARD_BASELINES)) {
      settings.add("reward_normalization.method=identity");
    }
    if (needs.contains(Batch.STATES)) {
      settings.add("env_manager_cls=step");
      settings.add("agent_template='{current_observation}'");
    }
    return settings;
  }

  /** Trains with two passes, since the policy differs from the rollout's only in the second. */
  @TestFactory
  Stream<DynamicTest> everyLossTrains() throws Exception {
    return ids("loss")
        .map(
            id ->
                DynamicTest.dynamicTest(
                    id,
                    () ->
                        train(
                            id,
                            List.of(
                                "actor_train.pg_variant=" + id,
                                "ppo_epochs=2",
                                "force_disable_old_logprobs_recompute=false"))));
  }

  private void train(String id, List<String> settings) throws Exception {
    List<String> overrides =
        new ArrayList<>(
            List.of(
                "exp_name=" + id,
                "max_steps=2",
                "eval_steps=0",
                "save_steps=0",
                "logging_steps=0",
                "track_with=[jsonl]",
                LEAST_UPDATES));
    overrides.addAll(settings);
    Outcome outcome = SmallRuns.start("frozen_lake.yaml", folder, overrides).outcome().get();
    assertEquals(2, outcome.steps());
    Map<String, Double> last = outcome.lastMetrics();
    assertEquals(0, last.getOrDefault("actor/skipped_updates", 0.0), last::toString);
    double gradient = last.getOrDefault("actor_train/grad_norm", 0.0);
    assertTrue(Double.isFinite(gradient) && gradient > 0, last::toString);
    assertTrue(last.values().stream().allMatch(Double::isFinite), last::toString);
  }

  private static Stream<String> ids(String kind) throws Exception {
    String list = CommandsTest.run("roll:" + kind + " list --json");
    return JsonParser.parseString(list).getAsJsonArray().asList().stream()
        .map(one -> one.getAsJsonObject().get("id").getAsString());
  }
}
