package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import roll.api.option.Option;
import roll.api.option.OptionType;
import roll.runtime.option.OptionValue;

/**
 * The option tables in a plugin's README. Their rows {@code | `name` | type | default | description
 * |} are generated from the declarations. The system property {@code roll.readme=write} updates
 * them.
 */
final class OptionTable {
  /** Maximum characters of a generated default; longer ones are written by hand. */
  private static final int LONGEST = 40;

  private static final Path README = Path.of("README.md");

  private OptionTable() {}

  /** Fails unless each row of {@code options} in the project's README is up to date. */
  static void check(List<Option<?>> options) {
    if (!Files.isRegularFile(README)) {
      return;
    }
    try {
      List<String> lines = Files.readAllLines(README);
      List<String> right = right(lines, options);
      if ("write".equals(System.getProperty("roll.readme"))) {
        Files.write(README, right);
      } else {
        assertEquals(
            String.join("\n", right), String.join("\n", lines), "run with -Droll.readme=write");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> right(List<String> lines, List<Option<?>> options) {
    List<String> right = new ArrayList<>();
    boolean table = false;
    for (String line : lines) {
      table = line.startsWith("|") && (table || line.endsWith("| type | default | description |"));
      String found = line;
      for (Option<?> option : options) {
        if (table && line.startsWith("| `" + option.name() + "` |")) {
          found = row(option, cells(line)[3]);
        }
      }
      right.add(found);
    }
    return right;
  }

  /** Returns the cells of a row; a bar inside a cell is escaped by a backslash. */
  private static String[] cells(String line) {
    return line.split("(?<!\\\\)\\|");
  }

  /** Returns the row of {@code option}; keeps the default {@code standing} if none is declared. */
  static String row(Option<?> option, String standing) {
    String range = OptionValue.range(option.type());
    String type =
        OptionValue.name(option.type())
            + (range.isEmpty() ? "" : option.type() instanceof OptionType.Text ? ": " : " ")
            + range;
    String value =
        option.defaultValue() == null
                || OptionValue.written(option.defaultValue()).length() > LONGEST
            ? standing.strip()
            : "`" + cell(OptionValue.written(option.defaultValue())) + "`";
    return "| `%s` | %s | %s | %s |"
        .formatted(option.name(), cell(type), value, cell(option.description()));
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("\n", "\\n");
  }
}
