package roll.text.call;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Streaming parser of a model's output: text, and tool calls between {@code <tool_call>} and {@code
 * </tool_call>}. A call ends after its JSON object: an end tag inside a string belongs to the
 * string. Calls inside {@code <think>} to {@code </think>} are text. The result does not depend on
 * the chunks, except that text may be split.
 */
public final class HermesParser {
  /** The start tag of a tool call. */
  public static final String OPEN = "<tool_call>";

  /** The end tag of a tool call. */
  public static final String CLOSE = "</tool_call>";

  private static final List<String> MARKS = List.of(OPEN, ThinkTags.OPEN, ThinkTags.CLOSE);

  private final StringBuilder held = new StringBuilder();
  private JsonObjectScanner object = new JsonObjectScanner();
  private boolean thinking;
  private boolean stray;

  /**
   * Creates a parser.
   *
   * @param thinking whether the prompt ends with an open think tag
   */
  public HermesParser(boolean thinking) {
    this.thinking = thinking;
  }

  /**
   * Parses a complete text. If it closes a thought that it does not open, the prompt is assumed to
   * have opened it.
   */
  public static List<HermesPart> parts(String text) {
    HermesParser parser = new HermesParser(false);
    List<HermesPart> parts = parser.all(text);
    return parser.stray ? new HermesParser(true).all(text) : parts;
  }

  /** Returns the calls of a complete text, parsed as by {@link #parts}. */
  public static List<HermesPart.Block> blocks(String text) {
    return parts(text).stream()
        .flatMap(part -> part instanceof HermesPart.Block block ? Stream.of(block) : Stream.of())
        .toList();
  }

  /**
   * Returns the end of the first call of a complete text, including its end tag; −1 without one.
   */
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

  /** Adds a chunk of text; returns the parts that are complete. */
  public List<HermesPart> add(String piece) {
    held.append(piece);
    return read(false);
  }

  /** Returns the parts that were held back; to be called once, at the end. */
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

  /** Consumes text up to the end of a thought; returns whether there was one. */
  private boolean thought(List<HermesPart> parts) {
    int close = held.indexOf(ThinkTags.CLOSE);
    if (close < 0) {
      return false;
    }
    words(parts, close + ThinkTags.CLOSE.length());
    thinking = false;
    return true;
  }

  /** Consumes text up to the first tag outside of thoughts; returns whether there was one. */
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
    thinking = mark.equals(ThinkTags.OPEN);
    stray |= !thinking;
    return true;
  }

  /** Consumes the tool call at the beginning; returns false while it is incomplete. */
  private boolean block(List<HermesPart> parts, boolean finished) {
    JsonObjectScanner.State state = object.read(held, OPEN.length());
    if (state == JsonObjectScanner.State.OPEN && !finished) {
      return false;
    }
    // text that is not an object ends at the first end tag
    int from = state == JsonObjectScanner.State.ENDED ? object.at() : OPEN.length();
    int close = held.indexOf(CLOSE, from);
    if (close < 0 && !finished) {
      return false;
    }
    int end = close < 0 ? held.length() : close + CLOSE.length();
    String between = close < 0 ? null : held.substring(OPEN.length(), close);
    parts.add(new HermesPart.Block(held.substring(0, end), between));
    held.delete(0, end);
    object = new JsonObjectScanner();
    return true;
  }

  private void words(List<HermesPart> parts, int length) {
    if (length > 0) {
      parts.add(new HermesPart.Words(held.substring(0, length)));
      held.delete(0, length);
    }
  }

  /** Returns the length of the longest suffix that may begin a tag. */
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
