package roll.openai.answer;

import org.jspecify.annotations.Nullable;
import roll.text.call.ThinkTags;

/**
 * Separates the thought at the beginning of a streamed text from the rest. The prompt may have
 * opened it; any other start tag is text.
 */
final class ThoughtScanner {
  private final StringBuilder held = new StringBuilder();
  private State state;

  private enum State {
    /** The text may begin with a start tag. */
    BEGINNING,
    /** The prompt opened a thought, of which nothing was returned yet. */
    OPENED,
    INSIDE,
    BEHIND
  }

  /**
   * Separated text.
   *
   * @param thought text of the thought; empty where it begins, null outside of it
   */
  record Split(@Nullable String thought, String text) {}

  ThoughtScanner(boolean opened) {
    state = opened ? State.OPENED : State.BEGINNING;
  }

  /** Takes a piece of text and returns what later text cannot change. */
  Split add(String piece) {
    held.append(piece);
    boolean begun = begin();
    String thought = state == State.INSIDE ? inside(begun) : null;
    return new Split(thought, state == State.BEHIND ? taken(held.length()) : "");
  }

  /** Enters the thought if it begins; returns whether it does so now. */
  private boolean begin() {
    boolean tag = state == State.BEGINNING && held.indexOf(ThinkTags.OPEN) == 0;
    boolean begun = tag || state == State.OPENED;
    if (tag) {
      taken(ThinkTags.OPEN.length());
    }
    if (begun) {
      state = State.INSIDE;
    } else if (state == State.BEGINNING && !ThinkTags.OPEN.startsWith(held.toString())) {
      state = State.BEHIND;
    }
    return begun;
  }

  private @Nullable String inside(boolean begun) {
    int close = held.indexOf(ThinkTags.CLOSE);
    String thought = taken(close < 0 ? held.length() - beginning() : close);
    if (close >= 0) {
      taken(ThinkTags.CLOSE.length());
      state = State.BEHIND;
    }
    return thought.isEmpty() && !begun ? null : thought;
  }

  /** Returns the length of the longest suffix that begins an end tag. */
  private int beginning() {
    int longest = Math.min(ThinkTags.CLOSE.length() - 1, held.length());
    for (int n = longest; n > 0; n--) {
      if (ThinkTags.CLOSE.startsWith(held.substring(held.length() - n))) {
        return n;
      }
    }
    return 0;
  }

  private String taken(int length) {
    String text = held.substring(0, length);
    held.delete(0, length);
    return text;
  }

  /** Returns the text held back; called once, at the end. */
  Split rest() {
    String text = taken(held.length());
    return state == State.INSIDE ? new Split(text, "") : new Split(null, text);
  }

  /** Returns whether the thought has not ended. */
  boolean thinking() {
    return state == State.INSIDE;
  }
}
