package roll.api.model;

import java.nio.file.Path;
import java.time.Clock;
import org.osgi.annotation.versioning.ProviderType;

/** Reads chat templates of model folders. */
@ProviderType
public interface ChatTemplates {
  /**
   * Loads the chat template of {@code place}: a model folder, or a file with a Jinja template.
   *
   * @param clock source of the time for templates that use it
   * @throws roll.api.option.UserException if there is none or it cannot be read
   */
  ChatTemplate load(Path place, Clock clock);
}
