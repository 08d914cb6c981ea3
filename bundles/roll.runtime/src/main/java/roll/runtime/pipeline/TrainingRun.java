package roll.runtime.pipeline;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;

/** A run that was started. Methods may be called from any thread, also after its end. */
@ProviderType
public interface TrainingRun {
  /** Its number among the runs of this system, from 1. */
  int number();

  /** Name of the experiment. */
  String name();

  /** What {@link Trainer#check} said of its configuration. */
  List<String> notices();

  /** Its output folder. */
  Path folder();

  /** What it does at this moment. */
  RunStatus status();

  /** Asks the run to wait at the next boundary between two steps, until {@link #resume}. */
  void pause();

  /** Lets a paused run go on; nothing where it is not paused. */
  void resume();

  /** Asks the run to stop at the next boundary, saving a checkpoint. */
  void stop();

  /**
   * Replaces a plugin by another from the next step on: what the configuration calls {@code from}
   * it calls {@code to} from then on, and {@code config.yaml} of the run says so. Options that the
   * new one does not know are left out.
   *
   * @param kind what is replaced, such as {@code environment} or {@code loss}: the name of a {@link
   *     roll.runtime.plugin.RegisteredKind}
   * @param overrides further changes, {@code key.path=value}
   * @return a line for each thing worth knowing, such as an option that was left out
   * @throws roll.api.option.UserException if the run has ended, does not use {@code from}, or what
   *     comes out would not be a configuration that can be run; nothing is changed then
   */
  List<String> swap(String kind, String from, String to, List<String> overrides);

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
