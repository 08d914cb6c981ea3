package roll.api.model.family;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.model.DecoderSpec;

/**
 * A model architecture, such as Llama: parses a config.json into a decoder specification. {@code
 * roll.decoder.DecoderReader} parses the fields shared by all families, so that a family defines
 * little more than its traits and defaults.
 */
@ConsumerType
public interface ModelFamily {
  /**
   * Returns the specification in {@code config}, the parsed config.json.
   *
   * @param where the file, for messages
   * @throws roll.api.option.UserException if a field is missing, invalid, or not supported
   */
  DecoderSpec describe(String where, Map<String, @Nullable Object> config);
}
