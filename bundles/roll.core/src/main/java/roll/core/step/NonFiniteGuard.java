package roll.core.step;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;
import roll.api.data.Trajectory;
import roll.batching.NonFiniteCheck;
import roll.batching.TrajectoryBatch;

/**
 * Keeps numbers that are not finite away from the weights: where a batch has one, the step is not
 * trained on, log and trackers say which trajectory and token it is, and the batch is saved as
 * {@code not-finite/step-N.json}. JSON has no word for such numbers; they are written as {@code
 * NaN} and {@code Infinity}, as most readers expect.
 */
final class NonFiniteGuard {
  private static final Gson GSON =
      new GsonBuilder().disableHtmlEscaping().serializeSpecialFloatingPointValues().create();

  private final Path folder;
  private final int step;
  private final IntToLongFunction updates;
  private final Map<String, Double> metrics;
  private final Consumer<String> notices;
  private @Nullable String problem;
  private boolean modelBroken;

  /**
   * Creates the guard against non-finite numbers in one step.
   *
   * @param updates number of optimizer steps for a number of samples, counted as skipped
   * @param notices receives a line for each non-finite value
   */
  NonFiniteGuard(
      Path run,
      int step,
      IntToLongFunction updates,
      Map<String, Double> metrics,
      Consumer<String> notices) {
    this.folder = run.resolve("not-finite");
    this.step = step;
    this.updates = updates;
    this.metrics = metrics;
    this.notices = notices;
  }

  /** A phrase about why the whole step was skipped; null if it was trained on. */
  @Nullable String problem() {
    return problem;
  }

  /** Whether the model itself had numbers that are not finite: its weights are of no use. */
  boolean modelBroken() {
    return modelBroken;
  }

  /** Whether the rewards of all trajectories are finite. */
  boolean passes(List<Trajectory> trajectories) {
    for (Trajectory trajectory : trajectories) {
      String found = NonFiniteCheck.problem(trajectory);
      if (found != null) {
        skip(found, TrajectoryBatch.withTurns(TrajectoryBatch.of(trajectories), trajectories));
        return false;
      }
    }
    return true;
  }

  /** Checks whether the model outputs in the columns {@code keys} are finite on policy tokens. */
  boolean passesModels(Batch batch, ColumnKey<?>... keys) {
    modelBroken = !passes(batch, keys);
    return !modelBroken;
  }

  /** Whether the columns {@code keys}, where they exist, are finite on all policy tokens. */
  boolean passes(Batch batch, ColumnKey<?>... keys) {
    String found = NonFiniteCheck.problem(batch, keys);
    if (found != null) {
      skip(found, batch);
    }
    return found == null;
  }

  private void skip(String found, Batch batch) {
    problem = found;
    metrics.put("actor/skipped_updates", (double) updates.applyAsLong(batch.samples()));
    tell(found, "step " + step + " was not trained on, the weights are as they were", batch);
  }

  /**
   * Records the reason why the actor skipped updates of {@code batch}, if there is one. It counts
   * them itself.
   */
  void report(@Nullable String found, Batch batch) {
    if (found == null) {
      return;
    }
    double made =
        metrics.getOrDefault("actor/backward_steps", 0.0)
            - metrics.getOrDefault("actor/skipped_updates", 0.0);
    if (made == 0) {
      problem = found;
      modelBroken = true;
      tell(found, "step " + step + " was not trained on, the policy is as it was", batch);
    } else {
      tell(found, "step " + step + " ended after " + (long) made + " of its updates", batch);
    }
  }

  private void tell(String found, String outcome, Batch batch) {
    Path file = folder.resolve("step-" + step + ".json");
    try {
      Files.createDirectories(folder);
      try (Writer out = Files.newBufferedWriter(file)) {
        GSON.toJson(Map.of("problem", found, "step", step, "samples", samples(batch)), out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    notices.accept(outcome + ": " + found + "; the batch is in " + file);
  }

  private static List<Map<String, Object>> samples(Batch batch) {
    List<Map<String, Object>> samples = new ArrayList<>();
    for (int i = 0; i < batch.samples(); i++) {
      Batch sample = batch.select(new int[] {i});
      Map<String, Object> entry = new LinkedHashMap<>();
      put(entry, sample, false);
      entry.put("tokens", sample.tokens());
      entry.put("turns", sample.layout().turns());
      put(entry, sample, true);
      samples.add(entry);
    }
    return samples;
  }

  /** Puts the columns of one sample: those per token whole, of the others the only cell. */
  private static void put(Map<String, Object> entry, Batch sample, boolean perToken) {
    sample
        .columns()
        .cells()
        .forEach(
            (key, cells) -> {
              if (key.perToken() == perToken) {
                entry.put(key.name(), perToken ? cells : only(cells));
              }
            });
  }

  private static Object only(Object cells) {
    return switch (cells) {
      case double[] numbers -> numbers[0];
      case int[] numbers -> numbers[0];
      default -> ((List<?>) cells).getFirst();
    };
  }
}
