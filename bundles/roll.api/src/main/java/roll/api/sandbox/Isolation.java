package roll.api.sandbox;

import java.util.Locale;

/** How well programs must be shut in before any is run. */
public enum Isolation {
  /** Files, network and processes of the machine are out of reach, or nothing runs. */
  REQUIRED,
  /** Whatever the machine has to shut them in; what it lacks is said. */
  BEST_EFFORT,
  /** Limits on what they use alone: for programs that are trusted, or a machine that is spare. */
  NONE;

  /** As a configuration has it: {@code required}, {@code best_effort}, {@code none}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
