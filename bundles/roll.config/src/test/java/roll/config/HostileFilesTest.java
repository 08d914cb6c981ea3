package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.config.schema.Key;
import roll.config.schema.Schema;
import roll.config.tree.Composition;
import roll.config.tree.Interpolation;
import roll.config.tree.Resolvers;

/** Large files, and small ones that expand to large ones, are each refused with one line. */
@Tag("hostile")
class HostileFilesTest {
  private static final int LONG = 1_000_000;
  private static final String LONG_LINE = ": a line of more than 1049576 characters";

  private static final String DEVICES = "sequence_length: 8\nactor_train: {device_mapping: ";

  private final Path folder;
  private final HostileFiles files;

  HostileFilesTest(@TempDir Path folder) {
    this.folder = folder;
    this.files = new HostileFiles(folder);
  }

  static Stream<Arguments> files() {
    return Stream.of(
        Arguments.of(
            "texts of texts",
            HostileFiles.levels(
                12, n -> "a%d: %s".formatted(n, "${a%d}".formatted(n + 1).repeat(10)), "x"),
            "expand to a text of more than 1048576 characters"),
        Arguments.of(
            "lists of lists by interpolation",
            HostileFiles.levels(
                20, n -> "a%d: ['${a%2$d}', '${a%2$d}', '${a%2$d}']".formatted(n, n + 1), "x"),
            "expand to more than 100000 values"),
        Arguments.of(
            "mappings of mappings by interpolation",
            HostileFiles.levels(
                30, n -> "a%d: {l: '${a%2$d}', r: '${a%2$d}'}".formatted(n, n + 1), "x"),
            "expand to more than 100000 values"),
        Arguments.of(
            "many texts of almost the greatest length",
            "a: "
                + "x".repeat(1_000_000)
                + "\n"
                + HostileFiles.lines(200, n -> "b%d: y${a}".formatted(n)),
            "expand to texts of more than"),
        Arguments.of(
            "lists of lists by alias",
            HostileFiles.levels(
                16, n -> "a%d: &a%1$d [*a%2$d, *a%2$d, *a%2$d]".formatted(n, n + 1), null),
            "aliases expand to more than 100000 values"),
        Arguments.of(
            "mappings of mappings by alias",
            HostileFiles.levels(
                24, n -> "a%d: &a%1$d {l: *a%2$d, r: *a%2$d}".formatted(n, n + 1), null),
            "aliases expand to more than 100000 values"),
        Arguments.of(
            "merged again and again",
            "a: &a {"
                + HostileFiles.items(5_000, n -> "k" + n + ": 1")
                + "}\n"
                + HostileFiles.lines(45, n -> "b" + n + ": {<<: *a}"),
            "aliases expand to more than 100000 values"),
        Arguments.of("an alias in itself", "a: &a [1, *a]", "an alias contains itself"),
        Arguments.of(
            "a long chain of references",
            HostileFiles.lines(5_000, n -> "a%d: ${a%d}".formatted(n, n + 1)) + "a5000: 1\n",
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
        Arguments.of("a long number", "seed: " + "7".repeat(LONG), "expected an integer"),
        Arguments.of("a number of base 60", "seed: 1" + ":1".repeat(LONG), "expected an integer"),
        Arguments.of("a long fraction", "pg_clip: 1." + "7".repeat(LONG), "expected a number"),
        Arguments.of(
            "a long almost number", "pg_clip: " + "1_".repeat(LONG) + "x", "expected a number"),
        Arguments.of(
            "a long text", "adv_estimator_args: " + "x".repeat(LONG), "expected a mapping"),
        Arguments.of("a long key", "? " + "k".repeat(LONG) + "\n: 1", "key of more than"),
        Arguments.of(
            "a key of the size of a file", "seed: 1\n" + "k".repeat(2_000_000) + ": 1", LONG_LINE),
        Arguments.of("in quotes", "\"" + "k".repeat(2_000_000) + "\": 1", LONG_LINE),
        Arguments.of("a long remark", "# " + "a ".repeat(1_000_000) + "\nseed: 1", LONG_LINE),
        Arguments.of("spaces alone", " ".repeat(2_000_000) + "a: 1", LONG_LINE),
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
            DEVICES + "[" + HostileFiles.items(90_000, String::valueOf) + "]}",
            "at most 4096 devices"),
        Arguments.of(
            "a long text of devices",
            DEVICES + "'[" + HostileFiles.items(90_000, String::valueOf) + "]'}",
            "at most 4096 devices"),
        Arguments.of(
            "many ranges of devices",
            DEVICES + "'" + ranges(20_000) + "'}",
            "at most 4096 devices"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void endsWithOneLine(String name, String text, String why) {
    String message = HostileFiles.refusal(files.write("run.yaml", text));
    assertTrue(message.contains(why), message);
    HostileFiles.assertShort(message);
  }

  @Test
  void defaultsThatBuildOnEachOtherAreCounted() {
    for (int n = 0; n < 30; n++) {
      files.write("d" + n + ".yaml", "defaults: [d%1$d, d%1$d]\na: 1\n".formatted(n + 1));
    }
    files.write("d30.yaml", "a: 1\n");
    String message = HostileFiles.refusal(folder.resolve("d0.yaml"));
    assertTrue(message.contains("defaults: more than 100 files"), message);
    HostileFiles.assertShort(message);
  }

  @Test
  void defaultsOfManyValuesAreCounted() {
    for (int n = 0; n < 20; n++) {
      String key = "k" + n;
      files.write("d" + n + ".yaml", HostileFiles.lines(9_000, k -> key + "_" + k + ": 1"));
    }
    String message =
        HostileFiles.refusal(
            files.write(
                "run.yaml", "defaults: [" + HostileFiles.items(20, n -> "d" + n) + "]\na: 1\n"));
    assertTrue(message.contains("more than 100000 values"), message);
    HostileFiles.assertShort(message);
  }

  @Test
  void manyKeysOverManyKeysAreMerged() {
    files.write("base.yaml", HostileFiles.lines(20_000, k -> "k" + k + ": {a: 1}"));
    Path run =
        files.write(
            "run.yaml", "defaults: [base]\n" + HostileFiles.lines(20_000, k -> "k" + k + ": 2"));
    Composition composed = Composition.of(run);
    assertEquals(2, composed.tree().get("k19999"));
    assertEquals(run + ":20001", composed.origins().of("k19999"));
    assertEquals(run + ":20001", composed.origins().of("k19999.a"));
  }

  /** Refusals of any value at any key are short and without a stack trace. */
  @Test
  void noKeyAnswersAtLength() {
    YamlConfigLoader loader = new YamlConfigLoader(name -> null);
    List<String> values =
        List.of(
            "x".repeat(50_000), "'" + "a:".repeat(20_000) + "'", "[" + "x,".repeat(9_000) + "]");
    List<String> wrong = new ArrayList<>();
    for (Key key : new Schema().section(Schema.RUN).values()) {
      for (String value : values) {
        Path run = files.write("run.yaml", key.name() + ": " + value + "\n");
        String message = HostileFiles.refusal(loader, run, List.of());
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
    HostileFiles.assertShort(HostileFiles.refusal(files.write("run.yaml", text)));
  }

  @Test
  void aVariableOfTheEnvironmentIsNotReadAgain() {
    Path run = files.write("run.yaml", "exp_name: ${oc.env:A}\n");
    Composition composed = Composition.of(run);
    Interpolation interpolation =
        new Interpolation(
            composed.tree(),
            composed.origins(),
            new Resolvers(name -> "${oc.env:" + name + "}", ZonedDateTime.now(ZoneOffset.UTC)));
    assertEquals("${oc.env:A}", interpolation.resolve().get("exp_name"));
  }

  private static String ranges(int count) {
    return "list(range(0,4096))" + "+list(range(0,4096))".repeat(count - 1);
  }
}
