package roll.runtime.pipeline;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;

/** A supervised warm start that was begun. Methods may be called from any thread. */
@ProviderType
public interface SftRun {
  /** Notices for the user on the demonstration files of the warm start. */
  List<String> notices();

  /** Returns the output folder of the SFT run. */
  Path folder();

  /** Asks the warm start to end after the current step, saving a checkpoint. */
  void stop();

  /** Returns the outcome; completes exceptionally if training failed. */
  CompletableFuture<TrainingRun.Outcome> outcome();
}
