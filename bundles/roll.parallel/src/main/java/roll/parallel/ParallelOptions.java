package roll.parallel;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.model.DecoderSpec;
import roll.parallel.shard.ParallelLayout;

/** What the {@code strategy_config} of one worker says of its layout. */
@ConsumerType
public interface ParallelOptions {
  /**
   * The layout that is asked for, before the model is known.
   *
   * @throws roll.api.option.UserException naming the first key that is unknown or wrong
   */
  ParallelLayout layout();

  /**
   * The layout for {@code spec}; by default every model fits.
   *
   * @throws roll.api.option.UserException if it does not divide the model
   */
  default ParallelLayout layout(DecoderSpec spec) {
    return layout();
  }

  /** What is accepted and does nothing, once {@link #layout()} was asked for; a line each. */
  List<String> notices();
}
