package roll.config.dialect;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The translation of a key of another system, the last column of that system's table.
 *
 * @param how how a value is handled
 * @param text the translation, or why it has no effect or is refused; else empty
 */
public record Translation(How how, String text) {
  /** Treatment of the value of a key. */
  public enum How {
    /** Treatment of a key: copied to our key. */
    COPIED,
    /** Treatment of a key: several of our keys are derived from it. */
    MADE,
    /** Treatment of a key: another name of a key of that system. */
    ALIAS,
    /** Treatment of a key: accepted with a notice. */
    NO_EFFECT,
    /** Treatment of a key: only the default is accepted. */
    LATER
  }

  /** Reads a column such as {@code none: no graphs here}; an empty one is {@link How#COPIED}. */
  public static Translation parse(String column) {
    String[] parts = column.strip().split(":", 2);
    How how =
        switch (parts[0]) {
          case "" -> How.COPIED;
          case "made" -> How.MADE;
          case "alias" -> How.ALIAS;
          case "none" -> How.NO_EFFECT;
          case "later" -> How.LATER;
          default -> throw new IllegalArgumentException("unknown status '" + parts[0] + "'");
        };
    return new Translation(how, parts.length == 1 ? "" : parts[1].strip());
  }

  /** Returns the lines of the table {@code file} beside {@code owner}, without comments. */
  public static Stream<String> lines(Class<?> owner, String file) {
    try (InputStream in = Objects.requireNonNull(owner.getResourceAsStream(file), file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
