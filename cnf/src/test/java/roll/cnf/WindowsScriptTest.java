package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The script for Windows says to the JVM what {@code roll} says; nothing here can run it. */
class WindowsScriptTest {
  private static final Path ROOT = Path.of(System.getProperty("roll.root"));
  private static final Pattern OPTION =
      Pattern.compile("(?<![\\w-])--?[\\w][^\\s\\\\',)]*|\\$compiler");

  private final String unix = Files.readString(ROOT.resolve("roll"));
  private final String windows = Files.readString(ROOT.resolve("launch/src/dist/roll.ps1"));

  WindowsScriptTest() throws IOException {}

  private static String part(String text, String pattern) {
    Matcher found = Pattern.compile(pattern, Pattern.DOTALL).matcher(text);
    assertTrue(found.find(), pattern);
    return found.group(1);
  }

  private static List<String> options(String text) {
    return OPTION.matcher(text).results().map(option -> option.group()).toList();
  }

  @Test
  void theOptionsOfTheJvmAreTheSame() {
    String called = part(unix, "exec \"\\$jdk/bin/java\"(.*?)\\$\\{temporary:");
    List<String> expected = options(called.replace("\"", "").replace('/', '|'));
    assertEquals(11, expected.size(), expected::toString);
    String given = part(windows, "\\$options = @\\((.*?)\\n\\)");
    assertEquals(expected, options(given.replace("\"", "").replace('\\', '|')));
  }

  @Test
  void theSameCommandsAreCompiledQuickly() {
    String pattern = "\\n  (version \\| [^)]*)\\)\\s*compiler=(\\S+).*?\\*\\) compiler=(\\S+)";
    assertEquals(
        List.of(part(unix, pattern).split(" \\| ")),
        List.of(part(windows, "\\$short = '(.*?)'\\n").split("', '")));
    String others = part(unix, "\\n  \\*\\) compiler=(\\S+)");
    assertEquals(others, part(windows, "\\$compiler = '([^']*)'"));
    assertEquals(
        part(unix, "\\n    compiler=(\\S+)"),
        part(windows, "args\\[0\\]\\) \\{ \\$compiler = '(.*?)'"));
  }

  @Test
  void theLeastVersionOfJavaIsTheSame() {
    assertEquals(part(unix, "\\nleast=(\\d+)"), part(windows, "\\n\\$least = (\\d+)"));
  }
}
