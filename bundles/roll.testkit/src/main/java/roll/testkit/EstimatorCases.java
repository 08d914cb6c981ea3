package roll.testkit;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;
import roll.api.data.ColumnMap;
import roll.api.estimator.RewardNormalization;
import roll.api.estimator.TokenRewards;

/** Random inputs of an estimator and their rearrangements, for {@link EstimatorContract}. */
final class EstimatorCases {
  private final Set<ColumnKey<?>> needs;

  /** Creates inputs with the columns {@code needs}. */
  EstimatorCases(Set<ColumnKey<?>> needs) {
    this.needs = needs;
  }

  /** Returns random rewards of {@link TestLayout#cells} in groups of two. */
  TokenRewards random(double gamma) {
    return random(TestLayout.cells(), groups(TestLayout.SAMPLES), gamma);
  }

  /** Returns random rewards and the other columns that the estimator needs. */
  TokenRewards random(TestLayout cells, int[] groups, double gamma) {
    Map<ColumnKey<?>, Object> columns = new LinkedHashMap<>();
    for (ColumnKey<?> need : needs) {
      columns.put(need, random(cells, need));
    }
    return new TokenRewards(
        cells.layout(),
        cells.outsideMask(cells.column(TestLayout.stream("rewards")::nextGaussian), () -> 0),
        groups,
        gamma,
        0.95,
        RewardNormalization.IDENTITY,
        new ColumnMap(columns));
  }

  private static Object random(TestLayout cells, ColumnKey<?> need) {
    RandomGenerator random = TestLayout.stream(need.name());
    if (need.equals(Batch.STATES)) {
      return Arrays.stream(cells.turns()).map(turn -> turn % 2).toArray();
    }
    if (!need.perToken()) {
      return random.doubles(cells.samples()).toArray();
    }
    if (need.equals(Batch.OLD_LOG_PROBS)) {
      return cells.column(() -> -random.nextExponential());
    }
    return need.equals(Batch.SUM_PI_SQUARED)
        ? cells.column(() -> 1 + random.nextDouble())
        : cells.column(random::nextGaussian);
  }

  /** Returns {@code old} in another layout; tokens outside the mask get {@code unwritten}. */
  static TokenRewards moved(
      TokenRewards old, TestLayout to, int[] groups, ColumnMap columns, double unwritten) {
    Map<ColumnKey<?>, Object> moved = new LinkedHashMap<>(columns.cells());
    moved.replaceAll((key, cells) -> key.perToken() ? moved(cells, to, unwritten) : cells);
    return new TokenRewards(
        to.layout(),
        moved(old.rewards(), to, unwritten),
        groups,
        old.gamma(),
        old.lambda(),
        old.normalization(),
        new ColumnMap(moved));
  }

  private static Object moved(Object cells, TestLayout to, double unwritten) {
    double[] moved = moved(numbers(cells), to, unwritten);
    return cells instanceof int[] ? Arrays.stream(moved).mapToInt(x -> (int) x).toArray() : moved;
  }

  private static double[] moved(double[] column, TestLayout to, double unwritten) {
    return to.outsideMask(to.take(column, () -> 0), () -> unwritten);
  }

  /** Converts a column to doubles. */
  static double[] numbers(Object cells) {
    return cells instanceof int[] integers
        ? Arrays.stream(integers).asDoubleStream().toArray()
        : (double[]) cells;
  }

  /** Returns the groups of {@code samples}, two adjacent samples each. */
  static int[] groups(int samples) {
    int[] groups = new int[samples];
    Arrays.setAll(groups, i -> i / 2);
    return groups;
  }
}
