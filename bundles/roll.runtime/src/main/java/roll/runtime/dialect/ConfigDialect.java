package roll.runtime.dialect;

import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.UserException;

/**
 * Reads keys of another system as ours: a service, of which all that are there translate each
 * configuration, that with the highest {@code service.ranking} first.
 */
@ConsumerType
public interface ConfigDialect {
  /** Keys at the root of a file that it reads and that are no keys of ours. */
  default Set<String> sections() {
    return Set.of();
  }

  /**
   * Replaces the other system's keys in {@code draft}, whose references are resolved, by ours.
   *
   * @return translates our keys in a message to that system's, if the whole configuration is
   *     written in its keys; otherwise null
   * @throws UserException naming the invalid or unsupported key
   */
  @Nullable UnaryOperator<String> translate(ConfigDraft draft);
}
