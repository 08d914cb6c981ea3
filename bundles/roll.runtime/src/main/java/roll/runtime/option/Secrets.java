package roll.runtime.option;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Configuration keys whose values are never shown or written. */
public final class Secrets {
  private static final List<String> ENDINGS =
      List.of("api_key", "apikey", "password", "secret", "access_token", "auth_token");

  /**
   * What a tool, environment or reward gives a program or a server; nobody knows what is secret.
   */
  private static final Pattern HANDED_ON =
      Pattern.compile(
          "(^|.*\\.)(tool_config|env_config|rewards)\\.(.*\\.)?(env|headers)(\\..*)?",
          Pattern.DOTALL);

  private Secrets() {}

  /**
   * Whether the value of {@code key}, or of the last key of a path, is a secret; so is everything
   * in the {@code env} and {@code headers} of a tool, environment or reward, where the path leads
   * there.
   */
  public static boolean is(String key) {
    String lower = key.toLowerCase(Locale.ROOT);
    return ENDINGS.stream().anyMatch(lower::endsWith) || HANDED_ON.matcher(key).matches();
  }
}
