package roll.runtime.pipeline;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Trains on demonstrations before reinforcement learning (SFT), or on preferences. */
@ProviderType
public interface SftRunner {
  /**
   * Reads the demonstrations or preferences and starts training on them in the background.
   *
   * @param file the configuration, with a section {@code sft} or {@code preference}
   * @param overrides further settings, {@code key.path=value}
   * @throws roll.api.option.UserException if it cannot start: a row is wrong, something is missing,
   *     the output folder is taken or cannot be written
   */
  SftRun start(Path file, List<String> overrides);

  /**
   * Like {@link #start}, for preferences alone.
   *
   * @throws roll.api.option.UserException also if there is no section {@code preference}
   */
  SftRun startPreferences(Path file, List<String> overrides);
}
