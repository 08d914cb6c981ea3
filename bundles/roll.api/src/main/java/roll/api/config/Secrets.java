package roll.api.config;

import java.util.List;
import java.util.Locale;

/** Keys of a configuration whose values are shown to nobody and written nowhere. */
public final class Secrets {
  private static final List<String> ENDINGS =
      List.of("api_key", "apikey", "password", "secret", "access_token", "auth_token");

  private Secrets() {}

  /** Whether the value of {@code key}, or of the last key of a path, is a secret. */
  public static boolean is(String key) {
    String lower = key.toLowerCase(Locale.ROOT);
    return ENDINGS.stream().anyMatch(lower::endsWith);
  }
}
