package roll.api.model.family;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.model.DecoderSpec;

/**
 * One architecture: what its config.json means. {@code roll.decoder.DecoderReader} reads what
 * families share, so that one is little more than its traits and defaults.
 */
@ConsumerType
public interface ModelFamily {
  /**
   * The facts in {@code config}, the parsed config.json.
   *
   * @param where the file, for messages
   * @throws roll.api.option.UserException if a field is missing, wrong or asks for what is not
   *     supported
   */
  DecoderSpec describe(String where, Map<String, @Nullable Object> config);
}
