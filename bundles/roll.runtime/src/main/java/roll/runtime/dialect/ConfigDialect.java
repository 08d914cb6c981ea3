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
   * Replaces the keys of the other system in {@code draft}, references resolved, by ours.
   *
   * @return how a line for the user is told in words of that system, where the whole configuration
   *     is written in them; null elsewhere
   * @throws UserException naming what is wrong, or cannot be had here
   */
  @Nullable UnaryOperator<String> translate(ConfigDraft draft);
}
