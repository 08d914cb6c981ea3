package roll.shell.create;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands that {@code new} prints and writes can be typed one after another. */
class NextStepsTest {
  private static final Pattern RUN =
      Pattern.compile("(?m)(?:rollout|sft|train) (\\S+\\.yaml)(.*)$");
  private static final Pattern NAME = Pattern.compile("(?m)\\bexp_name[:=] *(\\S+)");

  @TempDir Path folder;

  static Stream<String> kinds() {
    return NewCommand.KINDS.keySet().stream();
  }

  /** A run is refused where another has written. */
  @ParameterizedTest
  @MethodSource("kinds")
  void noTwoRunsWriteIntoTheSameFolder(String kind) throws Exception {
    Path project = folder.resolve("cliff_walk");
    ProjectTemplate.of(Path.of(System.getProperty("roll.root"), "cnf/templates", kind))
        .write(project, NewCommand.values("cliff_walk", "file:/repository"));
    String printed = NewCommand.next(kind, "cliff_walk", project);
    for (String text : List.of(printed, Files.readString(project.resolve("README.md")))) {
      Map<String, String> runs = new HashMap<>();
      for (MatchResult run : RUN.matcher(text).results().toList()) {
        String config = Files.readString(project.resolve(run.group(1)));
        String name = name(run.group(2) + "\n" + config);
        assertNull(runs.put(name, run.group()), run.group() + " writes into " + name);
      }
    }
    assertTrue(RUN.matcher(printed).find(), printed);
  }

  /** Returns the first name of a run in {@code text}: the command line is before the file. */
  private static String name(String text) {
    return NAME.matcher(text).results().findFirst().orElseThrow().group(1);
  }
}
