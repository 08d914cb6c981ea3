package roll.core.step;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;

/**
 * Age of the training data in asynchronous training: the age of a token is the number of weight
 * updates since the weights that sampled it.
 */
public final class Staleness {
  private final NavigableSet<Long> shared = new TreeSet<>();

  /** Creates the age counter before the first weights. */
  public Staleness() {}

  /** Records that weights of {@code version} were sent to the sampling policy. */
  void shared(long version) {
    shared.add(version);
  }

  /** Returns the last {@code number} versions that were sent, in order, for a checkpoint. */
  public List<Long> last(int number) {
    return shared.descendingSet().stream().limit(number).sorted().toList();
  }

  /** Continues with the versions of a checkpoint; null in a checkpoint without. */
  public void restore(@Nullable List<Long> versions) {
    if (versions != null) {
      shared.addAll(versions);
    }
  }

  /**
   * {@code async/staleness/mean}, {@code …/max} and the histogram {@code …/<steps>}, shares of the
   * tokens the policy wrote; {@code async/mixed_trajectories}: share of trajectories that weights
   * of several versions wrote.
   *
   * @param most the histogram's last entry, at least; there are more where tokens are older
   */
  void measure(List<Trajectory> trajectories, int most, Map<String, Double> metrics) {
    int[] ages =
        trajectories.stream().flatMapToLong(Staleness::versions).mapToInt(this::age).toArray();
    int oldest = Arrays.stream(ages).max().orElse(0);
    metrics.put("async/staleness/mean", Arrays.stream(ages).average().orElse(0));
    metrics.put("async/staleness/max", (double) oldest);
    for (int age = 0; age <= Math.max(most, oldest); age++) {
      int here = age;
      long count = Arrays.stream(ages).filter(a -> a == here).count();
      metrics.put("async/staleness/" + age, count / (double) Math.max(1, ages.length));
    }
    long mixed = trajectories.stream().filter(t -> versions(t).distinct().count() > 1).count();
    metrics.put("async/mixed_trajectories", mixed / (double) Math.max(1, trajectories.size()));
  }

  /**
   * {@code async/log_ratio/<steps>}: mean of |ℓ_old − ℓ_sampled| over the trained tokens of an age,
   * if {@code batch}, the samples of {@code trajectories}, has old log-probs.
   */
  void compare(List<Trajectory> trajectories, Batch batch, Map<String, Double> metrics) {
    double[] old = batch.columnOrNull(Batch.OLD_LOG_PROBS);
    if (old == null) {
      return;
    }
    double[] sampled = batch.column(Batch.BEHAVIOR_LOG_PROBS);
    long[] versions =
        trajectories.stream()
            .flatMap(trajectory -> trajectory.sequences().stream())
            .flatMapToLong(sequence -> Arrays.stream(sequence.versions()))
            .toArray();
    boolean[] trained = batch.layout().mask();
    IntStream.range(0, batch.size())
        .filter(t -> trained[t])
        .boxed()
        .collect(
            Collectors.groupingBy(
                t -> age(versions[t]),
                TreeMap::new,
                Collectors.averagingDouble(t -> Math.abs(old[t] - sampled[t]))))
        .forEach((age, mean) -> metrics.put("async/log_ratio/" + age, mean));
  }

  private int age(long version) {
    return shared.tailSet(version, false).size();
  }

  /** Returns the weight version of each token that the policy generated. */
  private static LongStream versions(Trajectory trajectory) {
    return trajectory.sequences().stream().flatMapToLong(Staleness::versions);
  }

  private static LongStream versions(Sequence sequence) {
    return IntStream.range(0, sequence.tokens().length)
        .filter(t -> sequence.turns()[t] >= 0)
        .mapToLong(t -> sequence.versions()[t]);
  }
}
