package roll.shell.eval;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import roll.shell.eval.EvalStatistics.Interval;

/**
 * The figures of a tag or of all tasks.
 *
 * @param tag name of the environment, or {@link #ALL}
 * @param tasks number of tasks
 * @param samples number of samples
 * @param measures measures of success, see {@link EvalSample#of}
 * @param success mean over tasks of the share of successes
 * @param interval its 95 % interval: Wilson's with one sample per task, otherwise a bootstrap over
 *     tasks
 * @param pass pass@k by k, means over tasks
 * @param majority share of tasks whose most frequent answer is correct; null with one sample per
 *     task or without extracted answers
 * @param score mean score
 * @param tokens mean number of response tokens
 * @param truncated share of responses that a token limit ended
 */
record EvalFigures(
    String tag,
    int tasks,
    int samples,
    List<String> measures,
    double success,
    Interval interval,
    Map<Integer, Double> pass,
    @Nullable Double majority,
    double score,
    double tokens,
    double truncated) {
  /** The tag of all tasks together. */
  static final String ALL = "all";

  /**
   * Returns the figures of {@code tasks}, not empty, each with at least as many samples as the
   * largest of {@code ks}.
   */
  static EvalFigures of(String tag, Collection<List<EvalSample>> tasks, List<Integer> ks) {
    List<EvalSample> samples = tasks.stream().flatMap(List::stream).toList();
    double[] means = EvalResults.means(tasks);
    boolean single = samples.size() == tasks.size();
    Map<Integer, Double> pass = new LinkedHashMap<>();
    for (int k : ks) {
      pass.put(k, mean(tasks, task -> passAtK(task, k)));
    }
    return new EvalFigures(
        tag,
        tasks.size(),
        samples.size(),
        samples.stream().map(EvalSample::measure).distinct().sorted().toList(),
        Arrays.stream(means).average().orElseThrow(),
        single
            ? EvalStatistics.wilson(EvalResults.successes(samples), samples.size())
            : EvalStatistics.bootstrap(means),
        pass,
        single || samples.stream().allMatch(sample -> sample.answer() == null)
            ? null
            : mean(tasks, task -> majority(task) ? 1 : 0),
        mean(samples, EvalSample::score),
        mean(samples, EvalSample::tokens),
        mean(samples, sample -> sample.truncated() ? 1 : 0));
  }

  private static <T> double mean(Collection<T> of, ToDoubleFunction<T> value) {
    return of.stream().mapToDouble(value).average().orElseThrow();
  }

  private static double passAtK(List<EvalSample> task, int k) {
    return EvalStatistics.passAtK(task.size(), EvalResults.successes(task), k);
  }

  /**
   * Returns whether the most frequent answer of {@code task} is correct; the first of equally
   * frequent ones counts. Samples without an answer do not vote.
   */
  private static boolean majority(List<EvalSample> task) {
    Map<String, Integer> votes = new LinkedHashMap<>();
    for (EvalSample sample : task) {
      if (sample.answer() != null) {
        votes.merge(sample.answer(), 1, Integer::sum);
      }
    }
    int most = votes.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    return task.stream()
        .filter(sample -> sample.answer() != null)
        .filter(sample -> votes.getOrDefault(sample.answer(), 0) == most)
        .findFirst()
        .map(EvalSample::success)
        .orElse(false);
  }
}
