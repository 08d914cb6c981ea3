package roll.api.option;

import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The values of a plugin's options, checked against their declarations: unknown keys, wrong types
 * and values out of range were refused with one line, absent keys have their defaults.
 */
@ProviderType
public interface Options {
  /** The place of these options in the configuration, for messages. */
  String where();

  /**
   * The value of {@code option}, given or default. An option is found by its name: one declared
   * with another default is the same.
   *
   * @throws UserException that it is required, if it has neither
   * @throws IllegalArgumentException if it is not among the declared ones or has another type there
   */
  <T> T get(Option<T> option);

  /**
   * The value of {@code option}, given or default; empty if it has neither.
   *
   * @throws IllegalArgumentException if it is not among the declared ones or has another type there
   */
  <T> Optional<T> find(Option<T> option);

  /** Whether {@code option} has a value, given or default. */
  default boolean has(Option<?> option) {
    return find(option).isPresent();
  }

  /** Whether {@code option} is among the declared ones, with the same type. */
  boolean declares(Option<?> option);

  /** The complaint that {@code option} has a value that is not {@code allowed}. */
  UserException wrong(Option<?> option, String allowed);
}
