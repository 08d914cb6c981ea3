package roll.config;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.option.UserException;
import roll.config.schema.Key;
import roll.config.schema.Schema;
import roll.config.tree.Composition;
import roll.config.tree.Interpolation;

/** Files that are small and stand for much, and files that are large: each ends with one line. */
class HostileFilesTest {
  private static final int LONG = 1_000_000;

  private static final String DEVICES = "sequence_length: 8\nactor_train: {device_mapping: ";

  @TempDir Path folder = Path.of("");

  static Stream<Arguments> files() {
    return Stream.of(
        Arguments.of(
            "texts of texts",
            levels(12, n -> "a%d: %s".formatted(n, "${a%d}".formatted(n + 1).repeat(10)), "x"),
            "stand for a text of more than 1048576 characters"),
        Arguments.of(
            "lists of lists by interpolation",
            levels(20, n -> "a%d: ['${a%2$d}', '${a%2$d}', '${a%2$d}']".formatted(n, n + 1), "x"),
            "stand for more than 100000 values"),
        Arguments.of(
            "mappings of mappings by interpolation",
            levels(30, n -> "a%d: {l: '${a%2$d}', r: '${a%2$d}'}".formatted(n, n + 1), "x"),
            "stand for more than 100000 values"),
        Arguments.of(
            "many texts of almost the greatest length",
            "a: " + "x".repeat(1_000_000) + "\n" + lines(200, n -> "b%d: y${a}".formatted(n)),
            "stand for texts of more than"),
        Arguments.of(
            "lists of lists by alias",
            levels(16, n -> "a%d: &a%1$d [*a%2$d, *a%2$d, *a%2$d]".formatted(n, n + 1), null),
            "aliases stand for more than 100000 values"),
        Arguments.of(
            "mappings of mappings by alias",
            levels(24, n -> "a%d: &a%1$d {l: *a%2$d, r: *a%2$d}".formatted(n, n + 1), null),
            "aliases stand for more than 100000 values"),
        Arguments.of(
            "merged again and again",
            "a: &a {"
                + items(5_000, n -> "k" + n + ": 1")
                + "}\n"
                + lines(45, n -> "b" + n + ": {<<: *a}"),
            "aliases stand for more than 100000 values"),
        Arguments.of("an alias in itself", "a: &a [1, *a]", "an alias contains itself"),
        Arguments.of(
            "a long chain of references",
            lines(5_000, n -> "a%d: ${a%d}".formatted(n, n + 1)) + "a5000: 1\n",
            "more than 100 mappings and references, one inside the other"),
        Arguments.of(
            "references in references",
            "a: " + "${".repeat(20_000) + "a" + "}".repeat(20_000),
            "more than 10 interpolations, one inside the other"),
        Arguments.of("never closed", "a: '" + "${".repeat(200_000) + "'", "has no closing brace"),
        Arguments.of(
            "deep lists", "a: " + "[".repeat(50_000) + "]".repeat(50_000), "Nesting Depth"),
        Arguments.of("deep mappings", "a: " + "{a: ".repeat(50_000) + "1", "Nesting Depth"),
        Arguments.of("never closed lists", "a: " + "[".repeat(500_000), "Nesting Depth"),
        Arguments.of("a long number", "seed: " + "7".repeat(LONG), "expected a whole number"),
        Arguments.of(
            "a number of base 60", "seed: 1" + ":1".repeat(LONG), "expected a whole number"),
        Arguments.of("a long fraction", "pg_clip: 1." + "7".repeat(LONG), "expected a number"),
        Arguments.of(
            "a long almost number", "pg_clip: " + "1_".repeat(LONG) + "x", "expected a number"),
        Arguments.of(
            "a long text", "adv_estimator_args: " + "x".repeat(LONG), "expected a mapping"),
        Arguments.of("a long key", "? " + "k".repeat(LONG) + "\n: 1", "key of more than"),
        Arguments.of("a long anchor", "a: &" + "k".repeat(LONG) + " 1", "unknown key 'a'"),
        Arguments.of(
            "a long tag", "a: !" + "k".repeat(LONG) + " 1", "could not determine a constructor"),
        Arguments.of("a key twice", "a: 1\na: 2", "duplicate key a"),
        Arguments.of("keys of keys", "? [1, {2: 3}]\n: 1", "must be a text"),
        Arguments.of(
            "too many values", "a: [" + "1,".repeat(400_000) + "]", "more than 100000 values"),
        Arguments.of("too large a file", "a: '" + "x ".repeat(1_500_000) + "'", "larger than"),
        Arguments.of("zeros", "\0".repeat(LONG), "special characters are not allowed"),
        Arguments.of(
            "a long list of devices",
            DEVICES + "[" + items(90_000, String::valueOf) + "]}",
            "at most 4096 devices"),
        Arguments.of(
            "a long text of devices",
            DEVICES + "'[" + items(90_000, String::valueOf) + "]'}",
            "at most 4096 devices"),
        Arguments.of(
            "many ranges of devices",
            DEVICES + "'" + ranges(20_000) + "'}",
            "at most 4096 devices"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void endsWithOneLine(String name, String text, String why) {
    String message = refusal(write("run.yaml", text));
    assertTrue(message.contains(why), message);
    assertShort(message);
  }

  @Test
  void defaultsThatBuildOnEachOtherAreCounted() {
    for (int n = 0; n < 30; n++) {
      write("d" + n + ".yaml", "defaults: [d%1$d, d%1$d]\na: 1\n".formatted(n + 1));
    }
    write("d30.yaml", "a: 1\n");
    String message = refusal(folder.resolve("d0.yaml"));
    assertTrue(message.contains("defaults: more than 100 files"), message);
    assertShort(message);
  }

  @Test
  void defaultsOfManyValuesAreCounted() {
    for (int n = 0; n < 20; n++) {
      String key = "k" + n;
      write("d" + n + ".yaml", lines(9_000, k -> key + "_" + k + ": 1"));
    }
    String message =
        refusal(write("run.yaml", "defaults: [" + items(20, n -> "d" + n) + "]\na: 1\n"));
    assertTrue(message.contains("more than 100000 values"), message);
    assertShort(message);
  }

  @Test
  void manyKeysOverManyKeysAreMerged() {
    write("base.yaml", lines(20_000, k -> "k" + k + ": {a: 1}"));
    Path run = write("run.yaml", "defaults: [base]\n" + lines(20_000, k -> "k" + k + ": 2"));
    Composition composed = Composition.of(run);
    assertEquals(2, composed.tree().get("k19999"));
    assertEquals(run + ":20001", composed.origins().of("k19999"));
    assertEquals(run + ":20001", composed.origins().of("k19999.a"));
  }

  static Stream<Arguments> overrides() {
    return Stream.of(
        Arguments.of("a" + ".a".repeat(60_000) + "=1", "at most 50 keys"),
        Arguments.of("seed=" + "[".repeat(60_000), "Nesting Depth"),
        Arguments.of("seed=" + "7".repeat(100_000), "expected a whole number"),
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
    Path run = write("run.yaml", "exp_name: a\n");
    String message = refusal(new YamlConfigLoader(name -> null), run, List.of(override));
    assertTrue(message.contains(why), message);
    assertShort(message);
  }

  @Test
  void anOverrideFollowsNoEndlessReferences() {
    Path run =
        write(
            "run.yaml",
            levels(40, n -> "a%d: {q: '${a%d.q.q}'}".formatted(n, n + 1), "{q: '${a40}'}"));
    assertShort(refusal(new YamlConfigLoader(name -> null), run, List.of("a0.q.q.z=1")));
  }

  /** Whatever stands at whatever key, the answer stays short and comes without a stack. */
  @Test
  void noKeyAnswersAtLength() {
    YamlConfigLoader loader = new YamlConfigLoader(name -> null);
    List<String> values =
        List.of(
            "x".repeat(50_000), "'" + "a:".repeat(20_000) + "'", "[" + "x,".repeat(9_000) + "]");
    List<String> wrong = new ArrayList<>();
    for (Key key : new Schema().section(Schema.RUN).values()) {
      for (String value : values) {
        Path run = write("run.yaml", key.name() + ": " + value + "\n");
        String message = refusal(loader, run, List.of());
        if (message.length() > 500) {
          wrong.add(key.name() + ": " + message.substring(0, 200));
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "seed: !!int abc",
        "seed: !!int ''",
        "seed: !!float abc",
        "seed: !!bool 7",
        "seed: !!null 7",
        "seed: !!timestamp x",
        "seed: !!binary '%%%'",
        "seed: !!omap {a: 1}",
        "seed: !!pairs 3",
        "seed: !!set [1]",
        "seed: !!set {a}",
        "actor_train: !!map [1]",
        "tags: !!seq {a: 1}",
        "exp_name: !!str {a: 1}",
        "exp_name: \"a\\nb\"",
        "exp_name: \"\\x85\"",
        "custom_envs: {\"a\\nb\": {env_type: frozen_lake}}",
        "custom_envs: {../../a: {env_type: frozen_lake}}",
        "<<: 3",
        "actor_train: {<<: [1]}",
        "!!java.net.URL [x]",
        "--- 1\n--- 2",
        "%YAML 9.9\n---\na: 1",
        "@",
        "a: *b",
      })
  void oddYamlEndsWithOneLine(String text) {
    assertShort(refusal(write("run.yaml", text)));
  }

  @Test
  void aVariableOfTheEnvironmentIsNotReadAgain() {
    Path run = write("run.yaml", "exp_name: ${oc.env:A}\n");
    Composition composed = Composition.of(run);
    Interpolation interpolation =
        new Interpolation(composed.tree(), composed.origins(), name -> "${oc.env:" + name + "}");
    assertEquals("${oc.env:A}", interpolation.resolve().get("exp_name"));
  }

  private static String refusal(Path run) {
    return refusal(new YamlConfigLoader(name -> null), run, List.of());
  }

  private static String refusal(YamlConfigLoader loader, Path run, List<String> overrides) {
    UserException refused = assertThrows(UserException.class, () -> loader.load(run, overrides));
    return Objects.requireNonNull(refused.getMessage());
  }

  private static void assertShort(String message) {
    assertAll(
        () -> assertTrue(message.length() < 1000, () -> message.length() + " characters"),
        () -> assertFalse(message.contains("\n")));
  }

  private interface Line {
    String of(int n);
  }

  /** {@code a0} of {@code a1} of {@code a2} …; aliases, which look back, in the other order. */
  private static String levels(int depth, Line line, @Nullable String last) {
    List<String> lines = IntStream.range(0, depth).mapToObj(line::of).collect(Collectors.toList());
    lines.add(
        "a%d: %s%s"
            .formatted(depth, last == null ? "&a" + depth + " " : "", last == null ? "[x]" : last));
    return String.join("\n", last == null ? lines.reversed() : lines) + "\n";
  }

  private static String lines(int count, Line line) {
    return IntStream.range(0, count).mapToObj(n -> line.of(n) + "\n").collect(Collectors.joining());
  }

  private static String items(int count, Line line) {
    return IntStream.range(0, count).mapToObj(line::of).collect(Collectors.joining(","));
  }

  private static String ranges(int count) {
    return "list(range(0,4096))" + "+list(range(0,4096))".repeat(count - 1);
  }

  private Path write(String name, String text) {
    try {
      return Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
