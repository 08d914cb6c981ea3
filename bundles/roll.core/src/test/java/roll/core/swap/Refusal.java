package roll.core.swap;

import static roll.testkit.UserErrors.userError;

import roll.runtime.config.RunConfig;
import roll.testkit.InMemoryPluginRegistry;

/** Why a plugin cannot take the place of another. */
final class Refusal {
  private Refusal() {}

  /** Returns the refusal to replace {@code from} by {@code to}. */
  static String of(
      RunConfig config, InMemoryPluginRegistry shelf, String kind, String from, String to) {
    return userError(() -> SwapOverrides.of(config, shelf, kind, from, to));
  }
}
