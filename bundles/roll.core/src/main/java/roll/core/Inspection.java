package roll.core;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.data.Finite;
import roll.api.data.Trajectory;

/**
 * Keeps numbers that are not finite away from the weights: where a batch has one, the step is not
 * trained on, the log says which trajectory and token it is, and the batch is saved as {@code
 * not-finite/step-N.json}. JSON has no word for such numbers; they are written as {@code NaN} and
 * {@code Infinity}, as most readers expect.
 */
final class Inspection {
  private static final Gson GSON =
      new GsonBuilder().disableHtmlEscaping().serializeSpecialFloatingPointValues().create();

  private final Path folder;
  private final int step;
  private final long updates;
  private final Map<String, Double> metrics;
  private final RunLog log;

  /**
   * Of one step.
   *
   * @param updates optimizer steps that are skipped where a batch does not pass
   */
  Inspection(Path run, int step, long updates, Map<String, Double> metrics, RunLog log) {
    this.folder = run.resolve("not-finite");
    this.step = step;
    this.updates = updates;
    this.metrics = metrics;
    this.log = log;
  }

  /** Whether the rewards of all trajectories are finite. */
  boolean passes(List<Trajectory> trajectories) {
    for (Trajectory trajectory : trajectories) {
      String problem = Finite.problem(trajectory);
      if (problem != null) {
        skip(problem, Batch.ofTrajectories(trajectories).withTurns(trajectories));
        return false;
      }
    }
    return true;
  }

  /** Whether the columns {@code names}, where they exist, are finite on all policy tokens. */
  boolean passes(Batch batch, String... names) {
    String problem = Finite.problem(batch, names);
    if (problem != null) {
      skip(problem, batch);
    }
    return problem == null;
  }

  private void skip(String problem, Batch batch) {
    metrics.put("actor/skipped_updates", (double) updates);
    report(problem, batch);
  }

  /** Logs {@code problem} and saves {@code batch}, unless there is none. */
  void report(@Nullable String problem, Batch batch) {
    if (problem == null) {
      return;
    }
    Path file = folder.resolve("step-" + step + ".json");
    try {
      Files.createDirectories(folder);
      try (Writer out = Files.newBufferedWriter(file)) {
        GSON.toJson(Map.of("problem", problem, "step", step, "samples", samples(batch)), out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    log.line("step " + step + " was not trained on: " + problem + "; the batch is in " + file);
  }

  private static List<Map<String, Object>> samples(Batch batch) {
    List<Map<String, Object>> samples = new ArrayList<>();
    for (int i = 0; i < batch.samples(); i++) {
      int sample = i;
      int from = batch.offsets()[i];
      int to = batch.offsets()[i + 1];
      Map<String, Object> entry = new LinkedHashMap<>();
      batch.labels().forEach((name, labels) -> entry.put(name, labels.get(sample)));
      batch.sampleColumns().forEach((name, column) -> entry.put(name, column[sample]));
      entry.put("tokens", Arrays.copyOfRange(batch.tokens(), from, to));
      entry.put("turns", Arrays.copyOfRange(batch.turns(), from, to));
      batch
          .tokenColumns()
          .forEach((name, column) -> entry.put(name, Arrays.copyOfRange(column, from, to)));
      samples.add(entry);
    }
    return samples;
  }
}
