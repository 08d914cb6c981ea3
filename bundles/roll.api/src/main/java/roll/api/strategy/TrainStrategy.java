package roll.api.strategy;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.config.WorkerConfig;
import roll.api.memory.Activity;
import roll.api.memory.DeviceMemory;
import roll.api.model.DecoderSpec;
import roll.api.option.Option;
import roll.api.rank.RankTraffic;

/** How a model is placed on devices to be trained. */
@ConsumerType
public interface TrainStrategy extends TemperatureScaling {
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
   * A session with the language model of {@code config}; the caller closes it.
   *
   * @throws roll.api.option.UserException if the model folder or an option is wrong, or if the
   *     folder holds a value model
   */
  TrainSession open(SessionConfig config);

  /**
   * A session with a value model: that of {@code config}, or its language model with the token head
   * replaced by a new value head. The caller closes it.
   *
   * @throws roll.api.option.UserException if the model folder or an option is wrong
   */
  ValueSession openValues(SessionConfig config);

  /** Whether its sessions measure {@link TrainSession#divergences} of language models. */
  default boolean measuresDivergences() {
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
   * it does {@code activity} once with {@code samples} samples of {@code sequenceLength} tokens: of
   * the rank that has most to say. Empty where they say nothing, or the strategy does not tell.
   *
   * @throws roll.api.option.UserException if the ranks do not fit the model
   */
  default List<RankTraffic> traffic(
      SessionConfig config, DecoderSpec spec, Activity activity, long samples) {
    return List.of();
  }
}
