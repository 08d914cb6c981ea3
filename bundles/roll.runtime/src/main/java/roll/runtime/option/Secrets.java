package roll.runtime.option;

import java.util.List;
import java.util.Locale;

/** Configuration keys whose values are never shown or written. */
public final class Secrets {
  private static final List<String> ENDINGS =
      List.of(
          "api_key",
          "apikey",
          "password",
          "passwd",
          "secret",
          "access_token",
          "auth_token",
          "authorization",
          "private_key",
          "webhook");

  /**
   * Sections whose values are passed to programs or servers, so that any of them may be a secret.
   */
  private static final List<String> GIVERS =
      List.of("tool_config", "env_config", "rewards", "tracker_kwargs");

  private static final List<String> HANDED_ON = List.of("env", "headers");

  /** Schemes that may precede a secret in a header. */
  private static final List<String> SCHEMES = List.of("Bearer ", "Basic ", "Token ");

  private static final String VARIABLE = "${oc.env:";

  private Secrets() {}

  /**
   * Whether the value of {@code key}, or of the last key of a path, is a secret; so is everything
   * in the {@code env} and {@code headers} of a tool, environment, reward or tracker, where the
   * path leads there.
   */
  public static boolean is(String key) {
    String plain = key.toLowerCase(Locale.ROOT).replace('-', '_');
    return ENDINGS.stream().anyMatch(plain::endsWith) || isHandedOn(key);
  }

  /** Whether {@code value} is the name of a variable, which is no secret; a default may be one. */
  public static boolean isVariable(String value) {
    String plain = value;
    for (String scheme : SCHEMES) {
      plain = plain.startsWith(scheme) ? plain.substring(scheme.length()) : plain;
    }
    return plain.startsWith(VARIABLE)
        && plain.endsWith("}")
        && plain
            .substring(VARIABLE.length(), plain.length() - 1)
            .chars()
            .noneMatch(c -> ",${}".indexOf(c) >= 0);
  }

  private static boolean isHandedOn(String path) {
    boolean given = false;
    for (String key : path.split("\\.", -1)) {
      if (given && HANDED_ON.contains(key)) {
        return true;
      }
      given |= GIVERS.contains(key);
    }
    return false;
  }
}
