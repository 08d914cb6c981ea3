package roll.config;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Overrides that are long, deep or odd: each ends with one line. */
@Tag("hostile")
class HostileOverridesTest {
  private final HostileFiles files;

  HostileOverridesTest(@TempDir Path folder) {
    this.files = new HostileFiles(folder);
  }

  static Stream<Arguments> overrides() {
    return Stream.of(
        Arguments.of("a" + ".a".repeat(60_000) + "=1", "at most 50 keys"),
        Arguments.of("seed=" + "[".repeat(60_000), "Nesting Depth"),
        Arguments.of("seed=" + "7".repeat(100_000), "expected an integer"),
        Arguments.of("exp_name=\"a\\nb\"", "the name of a folder"),
        Arguments.of("exp_name=\"\\n/../../b\"", "the name of a folder"),
        Arguments.of("exp_name=\"\\u2028\"", "the name of a folder"),
        Arguments.of("exp_name=..", "the name of a folder"),
        Arguments.of("x\ny=1", "'x\\u000ay'"),
        Arguments.of("k".repeat(100_000) + "=1", "a key of more than 500 characters"),
        Arguments.of("k".repeat(100_000), "expected key.path=value"));
  }

  @ParameterizedTest
  @MethodSource("overrides")
  void anOverrideEndsWithOneLine(String override, String why) {
    Path run = files.write("run.yaml", "exp_name: a\n");
    String message =
        HostileFiles.refusal(new YamlConfigLoader(name -> null), run, List.of(override));
    assertTrue(message.contains(why), message);
    HostileFiles.assertShort(message);
  }

  @Test
  void anOverrideFollowsNoEndlessReferences() {
    Path run =
        files.write(
            "run.yaml",
            HostileFiles.levels(
                40, n -> "a%d: {q: '${a%d.q.q}'}".formatted(n, n + 1), "{q: '${a40}'}"));
    HostileFiles.assertShort(
        HostileFiles.refusal(new YamlConfigLoader(name -> null), run, List.of("a0.q.q.z=1")));
  }
}
