package roll.testkit;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.RawOptions;
import roll.runtime.option.YamlOptions;

/** Options of a plugin, as a configuration has them. */
public final class TestOptions {
  private TestOptions() {}

  /** Returns the defaults of {@code declared}. */
  public static Options defaults(List<Option<?>> declared) {
    return of("options", Map.of(), declared);
  }

  /**
   * Returns the mapping {@code given} at {@code where} in a configuration, checked against {@code
   * declared}.
   *
   * @throws roll.api.option.UserException naming the first unknown key or wrong value
   */
  public static Options of(
      String where, Map<String, ? extends @Nullable Object> given, List<Option<?>> declared) {
    return YamlOptions.checked(where, given, declared);
  }

  /** Returns the mapping {@code given} at {@code where} in a configuration, unchecked. */
  public static RawOptions raw(String where, Map<String, ? extends @Nullable Object> given) {
    return YamlOptions.of(where, given);
  }

  /** Returns the {@code strategy_config} {@code given} of {@code role}, unchecked. */
  public static RawOptions strategy(String role, Map<String, ? extends @Nullable Object> given) {
    return YamlOptions.strategy(role, given);
  }
}
