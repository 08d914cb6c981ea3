package roll.text.call;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Takes apart what a model writes, as it comes: words, and calls of tools between {@code
 * <tool_call>} and {@code </tool_call>}. The JSON object ends a call: an end mark inside of one of
 * its strings is a part of the string. What looks like a call in a thought, from {@code <think>} to
 * {@code </think>}, is words. The parts do not depend on how the text is cut into pieces, except
 * that words may come in several.
 */
public final class HermesParser {
  /** Before a call. */
  public static final String OPEN = "<tool_call>";

  /** Behind a call. */
  public static final String CLOSE = "</tool_call>";

  private static final List<String> MARKS = List.of(OPEN, Thoughts.OPEN, Thoughts.CLOSE);

  private final StringBuilder held = new StringBuilder();
  private ObjectEnd object = new ObjectEnd();
  private boolean thinking;
  private boolean stray;

  /**
   * Nothing read yet.
   *
   * @param thinking whether the text begins inside of a thought, which its prompt has begun
   */
  public HermesParser(boolean thinking) {
    this.thinking = thinking;
  }

  /**
   * The parts of a whole text. One that ends a thought which it does not begin was begun by its
   * prompt.
   */
  public static List<HermesPart> parts(String text) {
    HermesParser parser = new HermesParser(false);
    List<HermesPart> parts = parser.all(text);
    return parser.stray ? new HermesParser(true).all(text) : parts;
  }

  /** The calls of a whole text, read as {@link #parts} has them. */
  public static List<HermesPart.Block> blocks(String text) {
    return parts(text).stream()
        .flatMap(part -> part instanceof HermesPart.Block block ? Stream.of(block) : Stream.of())
        .toList();
  }

  /** Where the first call of a whole text ends, its end mark included; −1 without one. */
  public static int firstEnd(String text) {
    int end = 0;
    for (HermesPart part : parts(text)) {
      end += part.text().length();
      if (part instanceof HermesPart.Block) {
        return end;
      }
    }
    return -1;
  }

  private List<HermesPart> all(String text) {
    List<HermesPart> parts = new ArrayList<>(add(text));
    parts.addAll(rest());
    return parts;
  }

  /** Takes a piece of text; gives the parts that are sure now. */
  public List<HermesPart> add(String piece) {
    held.append(piece);
    return read(false);
  }

  /** What was held back; to be asked once, at the end. */
  public List<HermesPart> rest() {
    return read(true);
  }

  private List<HermesPart> read(boolean finished) {
    List<HermesPart> parts = new ArrayList<>();
    boolean more = true;
    while (more) {
      more = thinking ? thought(parts) : said(parts, finished);
    }
    if (finished || thinking || held.indexOf(OPEN) != 0) {
      words(parts, held.length() - (finished ? 0 : beginning()));
    }
    return parts;
  }

  /** Takes the end of a thought, and what precedes it; whether there was one. */
  private boolean thought(List<HermesPart> parts) {
    int close = held.indexOf(Thoughts.CLOSE);
    if (close < 0) {
      return false;
    }
    words(parts, close + Thoughts.CLOSE.length());
    thinking = false;
    return true;
  }

  /** Takes the first mark outside of thoughts, and what precedes it; whether there was one. */
  private boolean said(List<HermesPart> parts, boolean finished) {
    int first = -1;
    String mark = "";
    for (String known : MARKS) {
      int at = held.indexOf(known);
      if (at >= 0 && (first < 0 || at < first)) {
        first = at;
        mark = known;
      }
      if (first == 0) {
        break;
      }
    }
    if (first < 0) {
      return false;
    }
    if (mark.equals(OPEN)) {
      words(parts, first);
      return block(parts, finished);
    }
    words(parts, first + mark.length());
    thinking = mark.equals(Thoughts.OPEN);
    stray |= !thinking;
    return true;
  }

  /** Takes the call that is held first; false as long as its end is open. */
  private boolean block(List<HermesPart> parts, boolean finished) {
    ObjectEnd.State state = object.read(held, OPEN.length());
    if (state == ObjectEnd.State.OPEN && !finished) {
      return false;
    }
    // what is no object ends at the first mark
    int from = state == ObjectEnd.State.ENDED ? object.at() : OPEN.length();
    int close = held.indexOf(CLOSE, from);
    if (close < 0 && !finished) {
      return false;
    }
    int end = close < 0 ? held.length() : close + CLOSE.length();
    String between = close < 0 ? null : held.substring(OPEN.length(), close);
    parts.add(new HermesPart.Block(held.substring(0, end), between));
    held.delete(0, end);
    object = new ObjectEnd();
    return true;
  }

  private void words(List<HermesPart> parts, int length) {
    if (length > 0) {
      parts.add(new HermesPart.Words(held.substring(0, length)));
      held.delete(0, length);
    }
  }

  /** Length of the longest end of what is held that a mark begins with. */
  private int beginning() {
    for (int from = Math.max(0, held.length() - OPEN.length()); from < held.length(); from++) {
      String end = held.substring(from);
      if (MARKS.stream().anyMatch(mark -> mark.startsWith(end))) {
        return end.length();
      }
    }
    return 0;
  }
}
