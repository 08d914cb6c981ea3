package roll.runtime.sweep;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;

/** A sweep that was started. Methods may be called from any thread. */
@ProviderType
public interface SweepRun {
  /** Notices for the user on the runs of the sweep. */
  List<String> notices();

  /** Returns the folder of the sweep, in which each run has a folder. */
  Path folder();

  /** Asks the active runs of the sweep to save and end; no other run starts. */
  void stop();

  /**
   * Returns the outcome, which completes when all started runs have ended; failed runs are part of
   * it. Completes exceptionally only if it cannot be determined.
   */
  CompletableFuture<SweepResult> outcome();
}
