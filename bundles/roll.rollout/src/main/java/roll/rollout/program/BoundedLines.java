package roll.rollout.program;

import java.io.IOException;
import java.io.Reader;
import java.util.function.Consumer;

/** The lines of a stranger, of which one may be endless. */
final class BoundedLines {
  private static final int LONGEST = 1 << 20;

  private BoundedLines() {}

  /**
   * Gives {@code line} each that is not blank, cut where it is too long, until there are no more.
   */
  static void read(Reader in, Consumer<String> line) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int c = in.read(); c >= 0; c = in.read()) {
      if (c == '\n') {
        say(text, line);
      } else if (text.length() < LONGEST) {
        text.append((char) c);
      }
    }
    say(text, line);
  }

  private static void say(StringBuilder text, Consumer<String> line) {
    if (!text.toString().isBlank()) {
      line.accept(text.toString());
    }
    text.setLength(0);
  }
}
