package roll.runtime.pipeline;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import roll.runtime.config.LoadedConfig;

/** Starts training runs. */
@ProviderType
public interface Trainer {
  /**
   * Checks that everything {@code config} names is registered and fits, without any compute. Gives
   * a line for each key that was set and that the chosen estimator and loss do not read. Of a
   * supervised warm start the demonstrations are not read.
   *
   * @throws roll.api.option.UserException naming what is missing and what is registered
   */
  List<String> check(LoadedConfig config);

  /**
   * As {@link #check}, and that a run of {@code config} could begin here and now: {@link #start}
   * refuses nothing else before weights are read. Where the output folder holds a run already, that
   * is a line: {@link #start} needs another folder then, or to be told to continue it.
   *
   * @throws roll.api.option.UserException naming what is wrong
   */
  default List<String> checkStart(LoadedConfig config) {
    return check(config);
  }

  /**
   * Starts a run in the background.
   *
   * @throws roll.api.option.UserException if it cannot start: something is missing, the output
   *     folder is taken or cannot be written
   */
  TrainingRun start(LoadedConfig config);

  /** The runs of this system, oldest first; of those that have ended only the last few. */
  List<TrainingRun> runs();
}
