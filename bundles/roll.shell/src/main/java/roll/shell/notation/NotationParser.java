package roll.shell.notation;

import java.util.function.Predicate;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/** Gogo's parser for a line that may have the notation of configurations. */
final class NotationParser implements Parser {
  private final Parser gogo;
  private final Predicate<String> ours;

  /**
   * In place of {@code gogo}.
   *
   * @param ours whether a command is one of ours
   */
  NotationParser(Parser gogo, Predicate<String> ours) {
    this.gogo = gogo;
    this.ours = ours;
  }

  /** While a line is typed its words are those on the screen; once it is accepted, what is run. */
  @Override
  public ParsedLine parse(String line, int cursor, ParseContext context) {
    if (context != ParseContext.ACCEPT_LINE) {
      return gogo.parse(line, cursor, context);
    }
    String quoted = LineNotation.quoted(line, ours);
    return gogo.parse(quoted, quoted.equals(line) ? cursor : quoted.length(), context);
  }

  @Override
  public boolean isEscapeChar(char c) {
    return gogo.isEscapeChar(c);
  }
}
