package roll.api.sandbox;

import java.util.Locale;

/** The isolation that a user requires for programs. */
public enum Isolation {
  /** Programs run only without access to the machine's files, network, and processes. */
  REQUIRED,
  /** Isolation: as far as the machine supports it; missing isolation is reported. */
  BEST_EFFORT,
  /** Only resource limits: for trusted programs, or a dedicated machine. */
  NONE;

  /** The configuration value: {@code required}, {@code best_effort}, {@code none}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
