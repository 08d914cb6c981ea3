package roll.api.model;

import org.osgi.annotation.versioning.ProviderType;
import roll.api.config.WorkerConfig;

/** Tells the model of a role before anything of it is loaded. */
@ProviderType
public interface ModelSpecs {
  /**
   * The model of {@code worker}, with the adapters it names or asks for.
   *
   * @param values whether it is a value model
   * @throws roll.api.config.UserException if it cannot be used
   */
  DecoderSpec of(WorkerConfig worker, boolean values);
}
