package roll.core;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import roll.api.data.Batch;

/** Stops a step before anything is trained on a number that is NaN or infinite. */
final class FiniteGuard {
  private static final Gson GSON = new GsonBuilder().serializeSpecialFloatingPointValues().create();

  private final Path folder;
  private final int step;

  /** For a step of the run in {@code run}. */
  FiniteGuard(Path run, int step) {
    this.folder = run.resolve("not-finite");
    this.step = step;
  }

  /**
   * Looks at the policy's tokens in every column, in the order the columns were made.
   *
   * @throws IllegalStateException that names column, trajectory and token of the first number that
   *     is not finite; the batch is then in {@code not-finite/step-N.jsonl}
   */
  void check(Batch batch) {
    for (String name : batch.tokenColumnNames()) {
      double[] column = batch.tokenColumn(name);
      for (int i = 0; i < batch.samples(); i++) {
        for (int t = batch.offsets()[i]; t < batch.offsets()[i + 1]; t++) {
          if (batch.mask()[t] && !Double.isFinite(column[t])) {
            throw new IllegalStateException(
                "step %d: %s of trajectory %s, token %d (turn %d) is %s; nothing was trained, the batch is in %s"
                    .formatted(
                        step,
                        name,
                        batch.labels(Batch.TRAJECTORY_IDS).get(i),
                        t - batch.offsets()[i],
                        batch.turns()[t],
                        column[t],
                        save(batch)));
          }
        }
      }
    }
  }

  /** One JSON object a sample; NaN and Infinity stand in it as Python reads them. */
  private Path save(Batch batch) {
    Path file = folder.resolve("step-" + step + ".jsonl");
    try {
      Files.createDirectories(folder);
      try (Writer out = Files.newBufferedWriter(file)) {
        for (int i = 0; i < batch.samples(); i++) {
          int from = batch.offsets()[i];
          int to = batch.offsets()[i + 1];
          Map<String, Object> line = new LinkedHashMap<>();
          line.put("id", batch.labels(Batch.TRAJECTORY_IDS).get(i));
          line.put("tokens", Arrays.copyOfRange(batch.tokens(), from, to));
          line.put("turns", Arrays.copyOfRange(batch.turns(), from, to));
          for (String name : batch.tokenColumnNames()) {
            line.put(name, Arrays.copyOfRange(batch.tokenColumn(name), from, to));
          }
          GSON.toJson(line, out);
          out.write('\n');
        }
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
