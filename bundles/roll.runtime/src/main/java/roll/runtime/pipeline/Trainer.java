package roll.runtime.pipeline;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import roll.runtime.config.LoadedConfig;

/** Starts and lists training runs. */
@ProviderType
public interface Trainer {
  /**
   * Checks that everything {@code config} names is registered and fits, without any compute.
   * Returns a line for each key that was set but is not read by the chosen estimator and loss. The
   * demonstrations of a supervised warm start are not read.
   *
   * @throws roll.api.option.UserException naming what is missing and what is registered
   */
  List<String> check(LoadedConfig config);

  /**
   * Like {@link #check}, and also checks that a run of {@code config} could start now: {@link
   * #start} refuses nothing else before weights are read. If the output folder already holds a run,
   * a line reports it: {@link #start} then needs another folder or the setting to continue it.
   *
   * @throws roll.api.option.UserException naming what is wrong
   */
  default List<String> checkStart(LoadedConfig config) {
    return check(config);
  }

  /**
   * Refuses what {@link #start} would refuse now, a folder that is taken among it, and leaves
   * everything as it is: for whoever waits for something before the start.
   *
   * @throws roll.api.option.UserException as {@link #start}
   */
  default void requireStart(LoadedConfig config) {
    var unused = checkStart(config);
  }

  /**
   * Starts a run in the background.
   *
   * @throws roll.api.option.UserException if it cannot start: something is missing, the output
   *     folder is taken or cannot be written
   */
  TrainingRun start(LoadedConfig config);

  /** The runs of this system, oldest first; only the last few of the ended ones. */
  List<TrainingRun> runs();
}
