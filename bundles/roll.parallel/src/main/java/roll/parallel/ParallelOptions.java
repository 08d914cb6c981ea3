package roll.parallel;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.model.DecoderSpec;
import roll.parallel.shard.ParallelLayout;

/** The layout options in the {@code strategy_config} of a worker. */
@ConsumerType
public interface ParallelOptions {
  /**
   * Returns the configured layout, before the model is known.
   *
   * @throws roll.api.option.UserException naming the first key that is unknown or wrong
   */
  ParallelLayout layout();

  /**
   * Returns the layout for {@code spec}; by default without further checks.
   *
   * @throws roll.api.option.UserException if it does not divide the model
   */
  default ParallelLayout layout(DecoderSpec spec) {
    return layout();
  }

  /** Returns one line for each option without effect, after {@link #layout()}. */
  List<String> notices();
}
