package roll.api.strategy;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.config.WorkerConfig;
import roll.api.memory.SessionActivity;
import roll.api.memory.SessionMemory;
import roll.api.model.DecoderSpec;
import roll.api.option.Option;
import roll.api.rank.CollectiveVolume;

/** A strategy that places a model on devices for training. */
@ConsumerType
public interface TrainStrategy extends TemperatureScaling, BatchInvariance {
  /** Options of {@code strategy_config}; none by default. */
  default List<Option<?>> options() {
    return List.of();
  }

  /**
   * Checks the settings of {@code worker} before anything is loaded.
   *
   * @return a line for each key that is accepted without effect, and for each deprecated name
   * @throws roll.api.option.UserException if a setting is invalid
   */
  default List<String> notices(WorkerConfig worker) {
    worker.strategyOptions().checked(options());
    return List.of();
  }

  /**
   * Opens a session with the language model of {@code config}; the caller closes it.
   *
   * @throws roll.api.option.UserException if the model folder or an option is invalid, or if the
   *     folder has a value model
   */
  TrainSession open(SessionConfig config);

  /**
   * Opens a session with a value model: that of {@code config}, or its language model with a new
   * value head. The caller closes it.
   *
   * @throws roll.api.option.UserException if the model folder or an option is invalid
   */
  ValueSession openValues(SessionConfig config);

  /** Whether the train strategy's sessions support divergences, measured and as a loss. */
  default boolean measuresDivergences() {
    return false;
  }

  /**
   * Estimates the peak memory of a session of {@code config} with the model {@code spec} on each of
   * its devices during {@code activity}, before anything is loaded. Empty if unknown.
   */
  default List<SessionMemory> expected(
      SessionConfig config, DecoderSpec spec, SessionActivity activity) {
    return List.of();
  }

  /**
   * Estimates the communication of the busiest rank of a session of {@code config} with the model
   * {@code spec} during {@code activity} with {@code samples} samples of {@code sequenceLength}
   * tokens. Empty if there is none or it is unknown.
   *
   * @throws roll.api.option.UserException if the model cannot be split over the ranks
   */
  default List<CollectiveVolume> traffic(
      SessionConfig config, DecoderSpec spec, SessionActivity activity, long samples) {
    return List.of();
  }
}
