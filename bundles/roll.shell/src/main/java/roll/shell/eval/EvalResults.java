package roll.shell.eval;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.option.UserException;

/**
 * The samples in a results folder.
 *
 * @param folder of the results
 * @param tasks samples of each task by its name
 */
record EvalResults(Path folder, Map<String, List<EvalSample>> tasks) {
  /** File of the samples in a results folder. */
  static final String FILE = "trajectories/step-0.jsonl";

  /** Receives each line of a file of samples. */
  @FunctionalInterface
  interface LineConsumer {
    /**
     * Called for each line in order.
     *
     * @param where file and line number
     * @param line as written
     * @param episode the trajectory in {@code line}
     */
    void accept(String where, String line, Trajectory episode) throws InterruptedException;
  }

  /**
   * Reads the samples in {@code folder}.
   *
   * @throws UserException if they are missing or a line is invalid
   */
  static EvalResults read(Path folder) throws InterruptedException {
    Map<String, List<EvalSample>> tasks = new LinkedHashMap<>();
    forEach(
        folder,
        (where, line, episode) -> {
          EvalSample sample = EvalSample.of(episode);
          tasks.computeIfAbsent(sample.task(), unused -> new ArrayList<>()).add(sample);
        });
    return new EvalResults(folder, tasks);
  }

  /**
   * Reads the lines in {@code folder}, at least one.
   *
   * @throws UserException if they are missing or a line is invalid
   */
  static void forEach(Path folder, LineConsumer lines) throws InterruptedException {
    Path file = folder.resolve(FILE);
    if (!Files.isRegularFile(file)) {
      throw new UserException("eval: '" + folder + "' has no results: no file " + file);
    }
    int number = 0;
    try (BufferedReader in = Files.newBufferedReader(file)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String where = "eval: " + file + ":" + ++number;
        lines.accept(where, line, StoredEpisode.read(where, line));
      }
    } catch (IOException e) {
      throw new UserException(
          "eval: %s:%d: cannot be read (%s)"
              .formatted(file, number + 1, e.getClass().getSimpleName()),
          e);
    }
    if (number == 0) {
      throw new UserException("eval: " + file + " is empty");
    }
  }

  /** Returns the number of samples that every task has. */
  int samples() {
    return tasks.values().stream().mapToInt(List::size).min().orElse(0);
  }

  /** Returns whether every task has a single sample. */
  boolean single() {
    return tasks.values().stream().allMatch(samples -> samples.size() == 1);
  }

  /** Returns the tasks of each tag, sorted by tag. */
  Map<String, List<List<EvalSample>>> byTag() {
    Map<String, List<List<EvalSample>>> byTag = new TreeMap<>();
    for (List<EvalSample> samples : tasks.values()) {
      byTag.computeIfAbsent(samples.getFirst().tag(), unused -> new ArrayList<>()).add(samples);
    }
    return byTag;
  }

  /**
   * Checks that {@code other} has the same tasks: equal facts, and equal seeds where there are
   * none.
   *
   * @throws UserException naming a task that differs
   */
  void requireSameTasks(EvalResults other) {
    if (tasks.size() != other.tasks.size()) {
      throw other.differs("%d tasks, not %d".formatted(other.tasks.size(), tasks.size()));
    }
    tasks.forEach(
        (name, samples) -> {
          if (!same(samples.getFirst(), other.tasks.get(name))) {
            throw other.differs("task " + name + " differs");
          }
        });
  }

  private static boolean same(EvalSample sample, @Nullable List<EvalSample> others) {
    if (others == null) {
      return false;
    }
    EvalSample other = others.getFirst();
    return sample.facts().equals(other.facts())
        && (!sample.facts().isEmpty() || sample.seed() == other.seed());
  }

  private UserException differs(String how) {
    return new UserException(
        "eval: --compare: '" + folder + "' has other tasks than these results: " + how);
  }

  /** Returns the mean success of each task in {@code tasks}. */
  static double[] means(Collection<List<EvalSample>> tasks) {
    return tasks.stream()
        .mapToDouble(samples -> (double) successes(samples) / samples.size())
        .toArray();
  }

  /** Returns the number of successes in {@code samples}. */
  static int successes(List<EvalSample> samples) {
    return (int) samples.stream().filter(EvalSample::success).count();
  }
}
