package roll.api.option;

import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The values of a plugin's options, validated against their declarations: unknown keys, wrong
 * types, and values out of range were refused, absent keys have their defaults.
 */
@ProviderType
public interface Options {
  /** The location of these options in the configuration, for messages. */
  String where();

  /**
   * The value of {@code option}, or its default. Options are identified by name: one declared with
   * another default is the same.
   *
   * @throws UserException if it has neither value nor default
   * @throws IllegalArgumentException if it was not declared with this type
   */
  <T> T get(Option<T> option);

  /**
   * The value of {@code option}, or its default; empty if it has neither.
   *
   * @throws IllegalArgumentException if it was not declared with this type
   */
  <T> Optional<T> find(Option<T> option);

  /** Whether {@code option} has a value or a default. */
  default boolean has(Option<?> option) {
    return find(option).isPresent();
  }

  /** Whether {@code option} was declared with this type. */
  boolean declares(Option<?> option);

  /** Returns an error saying that the value of {@code option} is not {@code allowed}. */
  UserException wrong(Option<?> option, String allowed);
}
