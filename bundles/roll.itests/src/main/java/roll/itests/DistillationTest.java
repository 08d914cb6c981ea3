package roll.itests;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On-policy distillation from a checkpoint. */
@Tag("framework")
@Timeout(240)
class DistillationTest {
  private final FrozenLakeRuns runs;

  DistillationTest(@TempDir Path folder) {
    this.runs = new FrozenLakeRuns(folder);
  }

  /** The divergence is that of two models, and falls although no reward is read. */
  @Test
  void theStudentApproachesItsTeacher() throws Exception {
    Path teacher = train("teacher").resolve("checkpoint-" + FrozenLakeRuns.STEPS);
    Path run =
        train(
            "student",
            "adv_estimator=distillation",
            "enable_reference=true",
            "reference.model_args.model_name_or_path=" + teacher);
    Map<Integer, Map<String, String>> metrics = RunAssertions.metrics(run);
    double first = divergence(metrics, 0);
    double last = divergence(metrics, FrozenLakeRuns.STEPS - 1);
    assertTrue(first > .1 && last < first / 2, () -> first + " → " + last);
  }

  private Path train(String name, String... more) throws Exception {
    String[] overrides =
        SmallRuns.overrides(
                more,
                "entropy_loss_coef=0",
                "actor_train.training_args.learning_rate=0.01",
                "actor_train.training_args.warmup_steps=0")
            .toArray(String[]::new);
    return runs.train(name, overrides).folder();
  }

  private static double divergence(Map<Integer, Map<String, String>> metrics, int step) {
    return Double.parseDouble(
        Objects.requireNonNull(metrics.get(step)).getOrDefault("critic/kl", ""));
  }
}
