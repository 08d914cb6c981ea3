package roll.runtime.replay;

import java.nio.file.Path;
import org.osgi.annotation.versioning.ProviderType;

/** Replays recorded episodes. */
@ProviderType
public interface Replays {
  /**
   * Replays an episode: the environment under the episode's tag in the run's {@code config.yaml},
   * with its recorded seed and responses. Tools are not called, their recorded results are used
   * instead; rewards and models are not used. Takes at most some seconds.
   *
   * @param run output folder of a run, which may be running
   * @param line of one of its files of trajectories
   * @param own whether the run is of this process. Another folder is not trusted: only environments
   *     that are {@link roll.api.env.Environment#safeToReplay} are played, and no model file is
   *     read
   * @throws roll.api.option.UserException in one line: the line or the configuration is broken, the
   *     environment is missing, fails, takes too long or is not drawn
   */
  ReplayedEpisode play(Path run, String line, boolean own) throws InterruptedException;
}
