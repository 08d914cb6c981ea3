package roll.api.strategy;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.config.WorkerConfig;
import roll.api.memory.SessionActivity;
import roll.api.memory.SessionMemory;
import roll.api.model.DecoderSpec;
import roll.api.option.Option;
import roll.api.rank.CollectiveVolume;
import roll.api.scoring.ScoringSession;

/** A strategy that places a model on devices for inference. */
@ConsumerType
public interface InferStrategy extends TemperatureScaling, BatchInvariance {
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
   * Opens a session with the model of {@code config}; the caller closes it.
   *
   * @throws roll.api.option.UserException if the model folder or an option is invalid
   */
  InferSession open(SessionConfig config);

  /** Whether {@link #openScoring} is supported; false by default. */
  default boolean scoresByHead() {
    return false;
  }

  /**
   * Opens a session with the reward model of {@code config}; the caller closes it. Supported if
   * {@link #scoresByHead}.
   *
   * @throws roll.api.option.UserException if the model folder or an option is invalid, or if the
   *     folder has weights without a value head
   * @throws UnsupportedOperationException by default
   */
  default ScoringSession openScoring(SessionConfig config) {
    throw new UnsupportedOperationException(getClass().getName() + " opens no scoring sessions");
  }

  /** Whether sessions on this machine support {@link InferSession#distributions}. */
  default boolean providesDistributions() {
    return false;
  }

  /**
   * Whether sessions of {@code worker} support continuous batching, so that requests are best sent
   * one by one.
   */
  default boolean continuous(WorkerConfig worker) {
    return false;
  }

  /**
   * Whether the strategy batches continuously, like {@link #continuous(WorkerConfig)}. A {@code
   * synchronous} run is reproducible bit for bit, so by default it does not use continuous
   * batching.
   */
  default boolean continuous(WorkerConfig worker, boolean synchronous) {
    return !synchronous && continuous(worker);
  }

  /** Whether {@link InferSession#sleep} frees memory of sessions of {@code worker}. */
  default boolean sleeps(WorkerConfig worker) {
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
   * {@code spec} while it scores {@code samples} samples of {@code sequenceLength} tokens. Empty if
   * there is none or it is unknown.
   *
   * @throws roll.api.option.UserException if the model cannot be split over the ranks
   */
  default List<CollectiveVolume> scoringTraffic(
      SessionConfig config, DecoderSpec spec, long samples) {
    return List.of();
  }
}
