package roll.reward.guideline;

import java.util.Locale;

/** An operation of a step in a word problem. */
enum Operation {
  ADD('+'),
  SUBTRACT('-'),
  MULTIPLY('*');

  private final char sign;

  Operation(char sign) {
    this.sign = sign;
  }

  /** Returns the word for it in a hint. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the result for {@code have} and {@code number}; a subtraction stops at 0. */
  int of(int have, int number) {
    return switch (this) {
      case ADD -> have + number;
      case SUBTRACT -> Math.max(0, have - number);
      case MULTIPLY -> have * number;
    };
  }

  /** Returns the step as the solver writes it, for example {@code 7+3=10}. */
  String written(int have, int number) {
    return "" + have + sign + number + "=" + of(have, number);
  }
}
