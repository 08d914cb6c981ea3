package roll.decoder;

import org.osgi.annotation.versioning.ProviderType;
import roll.api.config.WorkerConfig;
import roll.api.model.DecoderSpec;

/** Provides the specification of a role's model before it is loaded. */
@ProviderType
public interface ModelSpecs {
  /**
   * Returns the model of {@code worker}, with existing or new adapters.
   *
   * @param values whether it is a value model
   * @throws roll.api.option.UserException if it cannot be used
   */
  DecoderSpec of(WorkerConfig worker, boolean values);

  /**
   * Returns the same after checking that all weights are present with the right shapes. Finiteness
   * is checked when they are read.
   *
   * @throws roll.api.option.UserException if it cannot be loaded, or if it has no weights and
   *     {@link roll.api.config.ModelConfig#randomWeights} does not allow that
   */
  DecoderSpec require(WorkerConfig worker, boolean values);

  /**
   * Returns the same for a reward model, after checking that weights include the value head.
   *
   * @throws roll.api.option.UserException as {@link #require}, or if there is no value head
   */
  DecoderSpec requireHead(WorkerConfig worker);
}
