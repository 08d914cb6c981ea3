package roll.text.call;

/** Finds the end of a JSON object incrementally, by its brackets and strings. */
final class JsonObjectScanner {
  private State state = State.OPEN;
  private int next;
  private int depth;
  private boolean string;
  private boolean escaped;

  /** The state of an object. */
  enum State {
    /** Object end state: the object is incomplete. */
    OPEN,
    /** Object end state: the object is complete. */
    ENDED,
    /** Object end state: the text is not an object. */
    BROKEN
  }

  /** Continues in {@code text}, which may have grown; white space may precede the object. */
  State read(CharSequence text, int start) {
    next = Math.max(next, start);
    while (state == State.OPEN && next < text.length()) {
      state = read(text.charAt(next++));
    }
    return state;
  }

  private State read(char one) {
    if (string) {
      string = escaped || one != '"';
      escaped = !escaped && one == '\\';
      return one < ' ' ? State.BROKEN : State.OPEN;
    }
    switch (one) {
      case '"' -> string = true;
      case '{', '[' -> depth++;
      case '}', ']' -> depth--;
      case '<' -> depth = -1; // the beginning of a surrounding tag
      default -> {
        boolean blank = " \t\r\n".indexOf(one) >= 0;
        return depth > 0 || blank ? State.OPEN : State.BROKEN;
      }
    }
    return depth > 0 ? State.OPEN : depth == 0 && one == '}' ? State.ENDED : State.BROKEN;
  }

  /** Returns the index after the closing bracket of the JSON object. */
  int at() {
    return next;
  }
}
