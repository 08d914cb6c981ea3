package roll.shell.eval;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import roll.shell.eval.EvalStatistics.Interval;

/**
 * Results compared with others on the same tasks.
 *
 * @param folder of the other results
 * @param success mean success of the other results
 * @param difference mean success minus that of the other results
 * @param interval 95 % bootstrap interval of the difference, over tasks
 * @param won number of tasks with a greater mean success
 * @param lost number of tasks with a smaller one
 * @param tied number of tasks with an equal one
 * @param test name of the paired test
 * @param p its two-sided p-value
 */
record EvalComparison(
    String folder,
    double success,
    double difference,
    Interval interval,
    int won,
    int lost,
    int tied,
    String test,
    double p) {
  /**
   * Compares {@code results} with {@code others}: by McNemar's exact test with one sample per task,
   * otherwise by sign changes.
   *
   * @throws roll.api.option.UserException if the tasks differ
   */
  static EvalComparison of(EvalResults results, EvalResults others) {
    results.requireSameTasks(others);
    List<String> names = List.copyOf(results.tasks().keySet());
    double[] own = means(results, names);
    double[] other = means(others, names);
    double[] differences =
        IntStream.range(0, own.length).mapToDouble(i -> own[i] - other[i]).toArray();
    int won = (int) Arrays.stream(differences).filter(difference -> difference > 0).count();
    int lost = (int) Arrays.stream(differences).filter(difference -> difference < 0).count();
    boolean single = results.single() && others.single();
    return new EvalComparison(
        others.folder().toString(),
        Arrays.stream(other).average().orElseThrow(),
        Arrays.stream(differences).average().orElseThrow(),
        EvalStatistics.bootstrap(differences),
        won,
        lost,
        differences.length - won - lost,
        single ? "exact McNemar test" : "paired permutation test",
        single ? EvalStatistics.mcNemar(won, lost) : EvalStatistics.signFlip(differences));
  }

  private static double[] means(EvalResults results, List<String> names) {
    return EvalResults.means(
        names.stream().map(name -> Objects.requireNonNull(results.tasks().get(name))).toList());
  }
}
