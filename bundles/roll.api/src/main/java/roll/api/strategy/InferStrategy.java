package roll.api.strategy;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.config.WorkerConfig;
import roll.api.memory.Activity;
import roll.api.memory.DeviceMemory;
import roll.api.model.DecoderSpec;
import roll.api.option.Option;
import roll.api.rank.RankTraffic;
import roll.api.scoring.ScoringSession;

/** How a model is placed on devices to score and to sample. */
@ConsumerType
public interface InferStrategy extends TemperatureScaling {
  /** What {@code strategy_config} may contain; nothing by default. */
  default List<Option<?>> options() {
    return List.of();
  }

  /**
   * Checks what {@code worker} asks of the strategy, before anything is loaded.
   *
   * @return a line for each key that is accepted and does nothing, and for a name that stands for
   *     another
   * @throws roll.api.option.UserException for what is wrong
   */
  default List<String> notices(WorkerConfig worker) {
    worker.strategyOptions().checked(options());
    return List.of();
  }

  /**
   * A session with the model of {@code config}; the caller closes it.
   *
   * @throws roll.api.option.UserException if the model folder or an option is wrong
   */
  InferSession open(SessionConfig config);

  /** Whether {@link #openScoring} opens sessions; false by default. */
  default boolean scoresByHead() {
    return false;
  }

  /**
   * A session with the reward model of {@code config}, whose folder holds a value head; the caller
   * closes it. Only where {@link #scoresByHead}.
   *
   * @throws roll.api.option.UserException if the model folder or an option is wrong, or if the
   *     folder has weights and no head
   * @throws UnsupportedOperationException by default
   */
  default ScoringSession openScoring(SessionConfig config) {
    throw new UnsupportedOperationException(getClass().getName() + " opens no scoring sessions");
  }

  /** Whether sessions on this machine give their {@link InferSession#distributions}. */
  default boolean providesDistributions() {
    return false;
  }

  /**
   * Whether requests to sessions of {@code worker} join and leave while others run, so that each is
   * best sent alone as soon as it is there.
   */
  default boolean continuous(WorkerConfig worker) {
    return false;
  }

  /**
   * The same where the run is {@code synchronous}, which repeats bit for bit unless {@code worker}
   * says otherwise: whether it does.
   */
  default boolean continuous(WorkerConfig worker, boolean synchronous) {
    return !synchronous && continuous(worker);
  }

  /**
   * Whether sessions of {@code worker} have something to free when they {@link InferSession#sleep}.
   */
  default boolean sleeps(WorkerConfig worker) {
    return false;
  }

  /**
   * Most that a session of {@code config} with the model {@code spec} holds on each of its devices
   * while it does {@code activity}: what theory says, before anything is loaded. Empty where the
   * strategy does not say.
   */
  default List<DeviceMemory> expected(SessionConfig config, DecoderSpec spec, Activity activity) {
    return List.of();
  }

  /**
   * What the ranks of a session of {@code config} with the model {@code spec} tell each other while
   * they score {@code samples} samples of {@code sequenceLength} tokens: of the rank that has most
   * to say. Empty where they say nothing, or the strategy does not tell.
   *
   * @throws roll.api.option.UserException if the ranks do not fit the model
   */
  default List<RankTraffic> scoringTraffic(SessionConfig config, DecoderSpec spec, long samples) {
    return List.of();
  }
}
