package roll.decoder;

import org.osgi.annotation.versioning.ProviderType;
import roll.api.config.WorkerConfig;
import roll.api.model.DecoderSpec;

/** Tells the model of a role before anything of it is loaded. */
@ProviderType
public interface ModelSpecs {
  /**
   * The model of {@code worker}, with the adapters it names or asks for.
   *
   * @param values whether it is a value model
   * @throws roll.api.option.UserException if it cannot be used
   */
  DecoderSpec of(WorkerConfig worker, boolean values);

  /**
   * The same of a model that is to be loaded: its weights are all there, of the right shapes.
   * Whether they are finite numbers is seen when they are read.
   *
   * @throws roll.api.option.UserException if it cannot be loaded, or has no weights and {@link
   *     roll.api.config.ModelConfig#randomWeights} does not allow that
   */
  DecoderSpec require(WorkerConfig worker, boolean values);

  /**
   * The same of a reward model: where the folder has weights, those of the value head are among
   * them.
   *
   * @throws roll.api.option.UserException as {@link #require}, or if there is no head
   */
  DecoderSpec requireHead(WorkerConfig worker);
}
