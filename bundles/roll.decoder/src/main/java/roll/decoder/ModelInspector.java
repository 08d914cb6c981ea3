package roll.decoder;

import java.nio.file.Path;
import org.osgi.annotation.versioning.ProviderType;

/** Looks at model folders without reading their weights. */
@ProviderType
public interface ModelInspector {
  /**
   * What {@code folder} holds.
   *
   * @throws roll.api.option.UserException if it cannot be used: whatever loading it would refuse
   */
  ModelFacts inspect(Path folder);
}
