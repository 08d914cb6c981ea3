package roll.runtime.replay;

import java.nio.file.Path;
import org.osgi.annotation.versioning.ProviderType;

/** Plays recorded episodes again. */
@ProviderType
public interface Replays {
  /**
   * Plays an episode again as it was played: the environment that the run's {@code config.yaml} has
   * under the episode's tag, its recorded seed and responses. Tools are not called, their recorded
   * results stand for them; rewards and models are not asked. Takes some seconds at most.
   *
   * @param run output folder of a run, which may be running
   * @param line of one of its files of trajectories
   * @param own whether the run is of this process. Of any other folder it is not known who wrote
   *     it: then only worlds that are {@link roll.api.env.Environment#safeToReplay} are played, and
   *     the model's files are not read
   * @throws roll.api.option.UserException in one line: the line or the configuration is broken, the
   *     environment is missing, fails, takes too long or is not drawn
   */
  ReplayedEpisode play(Path run, String line, boolean own) throws InterruptedException;
}
