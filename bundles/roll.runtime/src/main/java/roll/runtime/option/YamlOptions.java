package roll.runtime.option;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.Option;
import roll.api.option.OptionType;
import roll.api.option.Options;
import roll.api.option.RawOptions;
import roll.api.option.UserException;
import roll.text.Suggestion;

/**
 * Reads the options of a YAML mapping.
 *
 * @param where its place in the configuration, for messages
 * @param values as YAML has them, in the order written
 */
public record YamlOptions(String where, Map<String, @Nullable Object> values)
    implements RawOptions {
  /** A copy of {@code values}. */
  public YamlOptions {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** Returns the options of the mapping {@code values} at {@code where}. */
  public static YamlOptions of(String where, Map<String, ? extends @Nullable Object> values) {
    return new YamlOptions(where, new LinkedHashMap<>(values));
  }

  /**
   * Returns the mapping {@code given} at {@code where}, checked against {@code declared}.
   *
   * @throws UserException naming the first unknown key or wrong value
   */
  public static Options checked(
      String where, Map<String, ? extends @Nullable Object> given, List<Option<?>> declared) {
    return of(where, given).checked(declared);
  }

  /** Returns the options {@code strategy_config} of {@code role}. */
  public static YamlOptions strategy(String role, Map<String, ? extends @Nullable Object> values) {
    return of(role + ".strategy_args.strategy_config", values);
  }

  /** Names of options, in the order declared. */
  public static List<String> names(List<Option<?>> declared) {
    return declared.stream().<String>map(Option::name).toList();
  }

  @Override
  public Options checked(List<Option<?>> declared) {
    Map<String, Option<?>> byName = new LinkedHashMap<>();
    declared.forEach(option -> byName.put(option.name(), option));
    Map<String, Object> checked = new LinkedHashMap<>();
    values.forEach(
        (key, value) -> {
          Option<?> option = byName.get(key);
          if (option == null) {
            throw new UserException(
                "%s: unknown key '%s' (allowed: %s)%s"
                    .formatted(
                        where,
                        key,
                        byName.isEmpty() ? "none" : String.join(", ", byName.keySet()),
                        Suggestion.near(key, byName.keySet())));
          }
          if (value != null) {
            checked.put(key, OptionValue.read(where + "." + key, value, option.type()));
          }
        });
    return new CheckedOptions(this, byName, checked);
  }

  @Override
  public YamlOptions without(Collection<String> keys) {
    Map<String, @Nullable Object> kept = new LinkedHashMap<>(values);
    kept.keySet().removeAll(keys);
    return new YamlOptions(where, kept);
  }

  @Override
  public YamlOptions renamed(Map<String, String> names) {
    Map<String, @Nullable Object> renamed = new LinkedHashMap<>();
    values.forEach(
        (key, value) -> {
          String name = names.getOrDefault(key, key);
          if (renamed.containsKey(name)) {
            throw new IllegalArgumentException(where + ": two keys are named '" + name + "'");
          }
          renamed.put(name, value);
        });
    return new YamlOptions(where, renamed);
  }

  @Override
  public Map<String, RawOptions> parts() {
    Map<String, RawOptions> parts = new LinkedHashMap<>();
    values.forEach(
        (key, value) ->
            parts.put(
                key,
                OptionValue.read(
                    where + "." + key, value == null ? "null" : value, new OptionType.Nested())));
    return parts;
  }
}
