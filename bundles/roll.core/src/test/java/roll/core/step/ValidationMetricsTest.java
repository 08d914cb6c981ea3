package roll.core.step;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;

/**
 * Numbers of {@code process_validation_metrics} of {@code
 * volcengine/verl@b178a3c:verl/trainer/ppo/metric_utils.py#L511}; those of draws are NumPy's.
 */
class ValidationMetricsTest {
  private static Trajectory response(
      int question, int member, double reward, Map<String, Double> metrics) {
    return new Trajectory(
        new TrajectoryKey("Dataset", question, 0, member, question),
        List.of(),
        new double[] {reward},
        new long[] {0},
        List.of(),
        metrics,
        "terminated");
  }

  private static void has(Map<String, Double> metrics, String name, double value) {
    assertEquals(value, Objects.requireNonNull(metrics.get(name), name), 1e-12, name);
  }

  /** The number 10000 of MT19937 as C++ has it, and NumPy's {@code RandomState(42)}. */
  @Test
  void numbersAreThoseOfNumPy() {
    MersenneTwister standard = new MersenneTwister(5489);
    for (int i = 1; i < 10000; i++) {
      standard.next();
    }
    assertEquals(4123659995L, Integer.toUnsignedLong(standard.next()));
    assertArrayEquals(new int[] {51, 92, 14, 71, 60}, new MersenneTwister(42).below(100, 5));
    assertArrayEquals(
        new int[] {6, 3, 7, 4, 6, 9, 2, 6, 7, 4}, new MersenneTwister(42).below(10, 10));
    assertArrayEquals(
        new int[] {2, 0, 2, 2, 0, 0, 2, 1, 2, 2}, new MersenneTwister(42).below(3, 10));
    assertArrayEquals(new int[3], new MersenneTwister(42).below(1, 3));
  }

  /** Five responses that are worth 1, 0, ½, ¼, 0 and say a, b, a, c, b. */
  @Test
  void oneQuestionHasWhatNumPyDraws() {
    Map<String, Double> metrics =
        ValidationMetrics.question(new double[] {1, 0, 0.5, 0.25, 0}, new int[] {0, 1, 0, 2, 1});
    assertEquals(
        List.of(
            "mean@5",
            "std@5",
            "best@2/mean",
            "best@2/std",
            "worst@2/mean",
            "worst@2/std",
            "maj@2/mean",
            "maj@2/std",
            "best@4/mean",
            "best@4/std",
            "worst@4/mean",
            "worst@4/std",
            "maj@4/mean",
            "maj@4/std",
            "best@5/mean",
            "best@5/std",
            "worst@5/mean",
            "worst@5/std",
            "maj@5/mean",
            "maj@5/std"),
        List.copyOf(metrics.keySet()));
    has(metrics, "mean@5", 0.35);
    has(metrics, "std@5", 0.3741657386773941);
    has(metrics, "best@2/mean", 0.54675);
    has(metrics, "best@2/std", 0.38062703201428033);
    has(metrics, "worst@2/mean", 0.15675);
    has(metrics, "worst@2/std", 0.2571321401536572);
    has(metrics, "maj@2/mean", 0.35625);
    has(metrics, "maj@2/std", 0.3799979440733858);
    has(metrics, "best@4/mean", 0.76225);
    has(metrics, "worst@4/mean", 0.045);
    has(metrics, "maj@4/mean", 0.37975);
    has(metrics, "best@5/mean", 0.81775);
    has(metrics, "worst@5/std", 0.08731229867550161);
    has(metrics, "maj@5/mean", 0.35625);
    has(metrics, "maj@5/std", 0.3887781340301947);
  }

  @Test
  void oneResponseHasOnlyItsMean() {
    assertEquals(Map.of("mean@1", 0.5), ValidationMetrics.question(new double[] {0.5}, null));
  }

  @Test
  void questionsAreAveragedBySource() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    ValidationMetrics.add(
        List.of(
            response(0, 0, 1, Map.of()).withFacts(Map.of("data_source", "openai/gsm8k")),
            response(0, 1, 0, Map.of()).withFacts(Map.of("data_source", "openai/gsm8k")),
            response(1, 0, 1, Map.of()).withFacts(Map.of("data_source", "openai/gsm8k")),
            response(1, 1, 1, Map.of()).withFacts(Map.of("data_source", "openai/gsm8k")),
            response(2, 0, 0.25, Map.of())),
        metrics);
    has(metrics, "val-core/openai_gsm8k/reward/mean@2", 0.75);
    has(metrics, "val-aux/openai_gsm8k/reward/std@2", 0.25);
    has(metrics, "val-core/Dataset/reward/mean@1", 0.25);
    assertEquals(
        Set.of(
            "val-aux/openai_gsm8k/reward/std@2",
            "val-aux/openai_gsm8k/reward/worst@2/mean",
            "val-aux/openai_gsm8k/reward/worst@2/std",
            "val-core/Dataset/reward/mean@1",
            "val-core/openai_gsm8k/reward/best@2/mean",
            "val-core/openai_gsm8k/reward/best@2/std",
            "val-core/openai_gsm8k/reward/mean@2"),
        new TreeSet<>(metrics.keySet()));
  }

  /** The accuracy is the core variable if a reward reports it. */
  @Test
  void accuracyIsTheCoreWhereItIsKnown() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    Map<String, Double> right = Map.of("reward/math_verify/acc", 1.0);
    Map<String, Double> wrong = Map.of("reward/math_verify/acc", 0.0);
    ValidationMetrics.add(
        List.of(
            response(0, 0, 0.9, right).withAnswer("4"),
            response(0, 1, 0.1, wrong).withAnswer("5"),
            response(0, 2, 0.9, right).withAnswer("4")),
        metrics);
    has(metrics, "val-core/Dataset/acc/mean@3", 2 / 3.0);
    has(metrics, "val-aux/Dataset/reward/mean@3", 1.9 / 3);
    assertEquals(true, metrics.containsKey("val-core/Dataset/acc/maj@3/mean"));
    assertEquals(true, metrics.containsKey("val-aux/Dataset/acc/best@2/mean"));
    assertFalse(metrics.containsKey("val-core/Dataset/reward/mean@3"));
  }

  /** Majority votes need an answer of every sample. */
  @Test
  void aVoteTakesEveryAnswer() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    ValidationMetrics.add(
        List.of(response(0, 0, 1, Map.of()).withAnswer("4"), response(0, 1, 0, Map.of())), metrics);
    assertFalse(metrics.keySet().stream().anyMatch(name -> name.contains("maj")));
  }

  /** Right, not to be graded, right: two of three. */
  @Test
  void whatCouldNotBeGradedIsNotRight() {
    Map<String, Double> right = Map.of("reward/own/acc", 1.0);
    Map<String, Double> metrics = new LinkedHashMap<>();
    ValidationMetrics.add(
        List.of(
            response(0, 0, 1, right).withAnswer("4"),
            response(0, 1, 0, Map.of(Trajectory.UNGRADED, 1.0)),
            response(0, 2, 1, right).withAnswer("4")),
        metrics);
    has(metrics, "val-core/Dataset/acc/mean@3", 2 / 3.0);
    has(metrics, "val-aux/Dataset/reward/mean@3", 2 / 3.0);
    assertTrue(metrics.containsKey("val-core/Dataset/acc/maj@3/mean"), metrics.toString());
  }
}
