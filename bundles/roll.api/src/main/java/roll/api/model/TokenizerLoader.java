package roll.api.model;

import java.nio.file.Path;
import org.osgi.annotation.versioning.ProviderType;

/** Reads tokenizers from model folders. */
@ProviderType
public interface TokenizerLoader {
  /**
   * Loads the tokenizer of {@code folder}; the caller closes it.
   *
   * @throws roll.api.option.UserException if there is none or it cannot be read
   */
  Tokenizer load(Path folder);
}
