package roll.text.call;

/** Finds the end of a JSON object by its brackets and strings, as its text comes. */
final class ObjectEnd {
  private State state = State.OPEN;
  private int next;
  private int depth;
  private boolean string;
  private boolean escaped;

  /** How far an object has come. */
  enum State {
    /** It goes on. */
    OPEN,
    /** It has ended. */
    ENDED,
    /** It is none. */
    BROKEN
  }

  /** Reads on in {@code text}, which has grown; white space may precede the object. */
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
      case '<' -> depth = -1; // a mark of what surrounds it
      default -> {
        boolean blank = " \t\r\n".indexOf(one) >= 0;
        return depth > 0 || blank ? State.OPEN : State.BROKEN;
      }
    }
    return depth > 0 ? State.OPEN : depth == 0 && one == '}' ? State.ENDED : State.BROKEN;
  }

  /** Where it has ended: the place behind its last bracket. */
  int at() {
    return next;
  }
}
