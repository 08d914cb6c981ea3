package roll.api.option;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A mapping of the configuration that belongs to one plugin, as written: a {@code strategy_config},
 * or a mapping inside one. Equal ones have equal places and values.
 */
@ProviderType
public interface RawOptions {
  /** The place of the mapping in the configuration, for messages. */
  String where();

  /** What is written, in its order. */
  Map<String, @Nullable Object> values();

  /**
   * The values checked against {@code declared}.
   *
   * @throws UserException naming the first unknown key or wrong value
   */
  Options checked(List<Option<?>> declared);

  /** This without {@code keys}. */
  RawOptions without(Collection<String> keys);

  /**
   * This with the keys that {@code names} has under its values.
   *
   * @throws IllegalArgumentException if two keys would have one name
   */
  RawOptions renamed(Map<String, String> names);

  /**
   * The values of a mapping of mappings by key, in the order written.
   *
   * @throws UserException naming the first that is no mapping
   */
  Map<String, RawOptions> parts();
}
