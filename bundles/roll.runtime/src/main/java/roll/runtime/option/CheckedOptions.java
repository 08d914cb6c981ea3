package roll.runtime.option;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.api.option.Option;
import roll.api.option.OptionType;
import roll.api.option.Options;
import roll.api.option.UserException;

/**
 * Validated options of a plugin.
 *
 * @param raw as written
 * @param declared options by name
 * @param given values by name, as {@link OptionValue#read} gives them
 */
record CheckedOptions(YamlOptions raw, Map<String, Option<?>> declared, Map<String, Object> given)
    implements Options {
  @Override
  public String where() {
    return raw.where();
  }

  @Override
  public <T> T get(Option<T> option) {
    return find(option).orElseGet(() -> absent(option));
  }

  /**
   * Returns the value of an option without a default that is not set: for a mapping an empty one;
   * any other throws.
   */
  @SuppressWarnings("unchecked") // the type says what T is
  private <T> T absent(Option<T> option) {
    if (option.type() instanceof OptionType.Nested) {
      return (T) YamlOptions.of(where() + "." + option.name(), Map.of());
    }
    throw new UserException(where() + "." + option.name() + " is required");
  }

  @Override
  @SuppressWarnings("unchecked") // equal types read equal values
  public <T> Optional<T> find(Option<T> option) {
    Option<?> known = declared.get(option.name());
    if (known == null || !declares(option)) {
      throw new IllegalArgumentException("option '" + option.name() + "' is not declared");
    }
    Object value = given.get(option.name());
    return Optional.ofNullable((T) (value == null ? known.defaultValue() : value));
  }

  @Override
  public boolean declares(Option<?> option) {
    Option<?> known = declared.get(option.name());
    return known != null && known.type().equals(option.type());
  }

  @Override
  public UserException wrong(Option<?> option, String allowed) {
    Object written = raw.values().get(option.name());
    Option<?> known = declared.getOrDefault(option.name(), option);
    @Nullable Object value = written == null ? known.defaultValue() : written;
    return OptionValue.wrong(where() + "." + option.name(), value, allowed);
  }
}
