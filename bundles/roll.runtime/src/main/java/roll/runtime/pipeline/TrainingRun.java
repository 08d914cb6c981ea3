package roll.runtime.pipeline;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;

/** A run that was started. Methods may be called from any thread, also after its end. */
@ProviderType
public interface TrainingRun {
  /** Returns the number of the run among the runs of this process, from 1. */
  int number();

  /** Returns the name of the run's experiment. */
  String name();

  /** Returns the notices of {@link Trainer#check} on the run's configuration. */
  List<String> notices();

  /** Returns the output folder of the training run. */
  Path folder();

  /** Returns the current status of the training run. */
  RunStatus status();

  /** Pauses the run at the next boundary between two steps, until {@link #resume}. */
  void pause();

  /** Continues the run if it is paused. */
  void resume();

  /** Stops the run at the next boundary, after saving a checkpoint. */
  void stop();

  /**
   * Replaces a plugin by another from the next step on: {@code to} replaces {@code from} in the
   * configuration and in {@code config.yaml} of the run. Options that the new plugin does not
   * declare are left out.
   *
   * @param kind kind of the plugin, such as {@code environment} or {@code loss}: the name of a
   *     {@link roll.runtime.plugin.RegisteredKind}
   * @param overrides further changes, {@code key.path=value}
   * @return notices, such as an option that was left out
   * @throws roll.api.option.UserException if the run has ended, does not use {@code from}, or the
   *     resulting configuration could not be run; nothing is changed then
   */
  List<String> swap(String kind, String from, String to, List<String> overrides);

  /** Returns the outcome; completes exceptionally if the run failed. */
  CompletableFuture<Outcome> outcome();

  /**
   * The outcome of a run.
   *
   * @param steps steps that are complete
   * @param interrupted whether {@link #stop} ended it early; its state is saved
   * @param lastMetrics metrics of the last complete step
   */
  record Outcome(int steps, boolean interrupted, Map<String, Double> lastMetrics) {}
}
