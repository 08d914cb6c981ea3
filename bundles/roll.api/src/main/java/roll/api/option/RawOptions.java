package roll.api.option;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A mapping of the configuration that belongs to one plugin, not yet validated: a {@code
 * strategy_config}, or a mapping inside one. Two are equal if their locations and values are.
 */
@ProviderType
public interface RawOptions {
  /** The location of the mapping in the configuration, for messages. */
  String where();

  /** Returns the option values in the order of the configuration. */
  Map<String, @Nullable Object> values();

  /**
   * Validates the option values against {@code declared}.
   *
   * @throws UserException naming the first unknown key or wrong value
   */
  Options checked(List<Option<?>> declared);

  /** Returns these raw options without {@code keys}. */
  RawOptions without(Collection<String> keys);

  /**
   * Returns these raw options with keys renamed.
   *
   * @param names new names by old names
   * @throws IllegalArgumentException if two keys would get the same name
   */
  RawOptions renamed(Map<String, String> names);

  /**
   * The values of a mapping of mappings by key, in the order written.
   *
   * @throws UserException naming the first value that is not a mapping
   */
  Map<String, RawOptions> parts();
}
