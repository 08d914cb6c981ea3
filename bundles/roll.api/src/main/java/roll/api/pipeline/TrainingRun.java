package roll.api.pipeline;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;

/** A run that was started. */
@ProviderType
public interface TrainingRun {
  /** What {@link Trainer#check} said of its configuration. */
  List<String> notices();

  /** Its output folder. */
  Path folder();

  /** Asks the run to stop at the next boundary, saving a checkpoint. */
  void stop();

  /** How it ended; completes exceptionally if it failed. */
  CompletableFuture<Outcome> outcome();

  /**
   * How a run ended.
   *
   * @param steps steps that are complete
   * @param interrupted whether {@link #stop} ended it early; its state is saved
   * @param lastMetrics metrics of the last complete step
   */
  record Outcome(int steps, boolean interrupted, Map<String, Double> lastMetrics) {}
}
