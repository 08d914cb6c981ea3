package roll.bench.llamacpp;

import roll.api.option.UserException;
import roll.text.OneLine;

/**
 * Where something is in a file that a user gave.
 *
 * @param file as the user wrote it
 * @param line from 1; 0 for the file as a whole
 */
record LlamaPlace(String file, int line) {
  private static final int BRIEF = 32;

  /** A mistake here; both are phrases. */
  UserException mistake(String found, String expected) {
    String where = line > 0 ? file + ":" + line : file;
    return new UserException(
        "bench compare: %s: %s found, %s expected".formatted(where, found, expected));
  }

  /** {@code text} as a message or a table can show it: one line without its end if it is long. */
  static String brief(String text) {
    String line = OneLine.of(text);
    return line.codePointCount(0, line.length()) > BRIEF
        ? line.substring(0, line.offsetByCodePoints(0, BRIEF)) + "…"
        : line;
  }
}
