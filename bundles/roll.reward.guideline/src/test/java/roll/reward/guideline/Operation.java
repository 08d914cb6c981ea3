package roll.reward.guideline;

import java.util.Locale;

/** What a step of a story does to a number of things. */
enum Operation {
  ADD('+'),
  SUBTRACT('-'),
  MULTIPLY('*');

  private final char sign;

  Operation(char sign) {
    this.sign = sign;
  }

  /** How a hint names it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** {@code have} and {@code number} put together; of nothing, nothing can be taken. */
  int of(int have, int number) {
    return switch (this) {
      case ADD -> have + number;
      case SUBTRACT -> Math.max(0, have - number);
      case MULTIPLY -> have * number;
    };
  }

  /** As the solver writes it down, for example {@code 7+3=10}. */
  String written(int have, int number) {
    return "" + have + sign + number + "=" + of(have, number);
  }
}
