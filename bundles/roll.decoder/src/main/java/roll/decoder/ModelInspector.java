package roll.decoder;

import java.nio.file.Path;
import org.osgi.annotation.versioning.ProviderType;

/** Inspects model folders without reading their weights. */
@ProviderType
public interface ModelInspector {
  /**
   * Inspects the model folder {@code folder}.
   *
   * @throws roll.api.option.UserException for everything that loading it would refuse
   */
  ModelFacts inspect(Path folder);
}
