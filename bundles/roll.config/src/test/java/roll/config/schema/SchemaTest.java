package roll.config.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import roll.config.tree.KeyOrigins;
import roll.config.tree.YamlTree;

class SchemaTest {
  private static final Schema SCHEMA = new Schema();
  private static final List<Object> SAMPLES =
      List.of(
          true,
          false,
          3,
          2,
          0.5,
          "words",
          List.of("words"),
          List.of(7),
          List.of(List.of(1)),
          Map.of("k", 1));

  /** Sections that can be reached with one path from the top, and an environment's. */
  static Stream<String> sections() {
    return Stream.of(
        "",
        "rollout_mock",
        "actor_train",
        "actor_train.model_args",
        "actor_train.training_args",
        "actor_train.data_args",
        "actor_train.strategy_args",
        "actor_infer",
        "actor_infer.generating_args",
        "reference",
        "train_env_manager",
        "reward_normalization",
        "train_infer_correction.is_weight",
        "custom_envs.Tag");
  }

  @Test
  void everyKeyOfRollIsKnown() throws IOException {
    List<String> missing = new ArrayList<>();
    try (InputStream in =
        Objects.requireNonNull(SchemaTest.class.getResourceAsStream("roll-keys.txt"))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().filter(l -> !l.startsWith("#")).toList()) {
        String section = line.substring(0, line.indexOf(':')).replaceFirst("^\\.$", Schema.RUN);
        for (String key : line.substring(line.indexOf(':') + 1).strip().split(" ", -1)) {
          if (!SCHEMA.section(section).containsKey(key)) {
            missing.add(section + "." + key);
          }
        }
      }
    }
    assertEquals(List.of(), missing);
  }

  @ParameterizedTest
  @MethodSource("sections")
  void everyKeyDoesWhatItsStatusSays(String path) {
    for (Key key : keys(path)) {
      if (key.type() instanceof ValueType.Sub) {
        continue;
      }
      String at = path.isEmpty() ? key.name() : path + "." + key.name();
      Object sample = sample(key);
      Checker checker = checker();
      switch (key.status()) {
        case SUPPORTED -> {
          checker.check(tree(at, sample));
          assertEquals(List.of(), checker.notices(), at);
        }
        case NO_EFFECT -> {
          checker.check(tree(at, sample));
          String shown = at.replace(".Tag.", ".*.");
          assertEquals(
              List.of("key '" + shown + "' has no effect here: " + key.reason()),
              checker.notices());
        }
        case LATER, TRANSLATED -> {
          String refused = userError(() -> checker.check(tree(at, sample)), at);
          assertTrue(
              refused.matches("run.yaml: '" + at + "(: .*)?' is not supported yet(; .*)?"),
              refused);
          checker().check(tree(at, key.standard()));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("sections")
  void wrongTypesAreRefusedWithWhatIsAllowed(String path) {
    for (Key key : keys(path)) {
      String at = path.isEmpty() ? key.name() : path + "." + key.name();
      SAMPLES.stream()
          .filter(value -> !key.type().accepts(value))
          .findFirst()
          .ifPresent(
              value -> {
                String refused = userError(() -> checker().check(tree(at, value)), at);
                String start =
                    "run.yaml: "
                        + at
                        + ": expected "
                        + key.type().allowed()
                        + ", found '"
                        + value
                        + "'";
                assertTrue(refused.startsWith(start), refused);
              });
    }
  }

  private static List<Key> keys(String path) {
    String section = Schema.RUN;
    for (String name : path.isEmpty() ? new String[0] : path.split("\\.", -1)) {
      if (!name.equals("Tag")) {
        Key key = Objects.requireNonNull(SCHEMA.section(section).get(name), path);
        section = ((ValueType.Sub) key.type()).section();
      }
    }
    return List.copyOf(SCHEMA.section(section).values());
  }

  private static Checker checker() {
    return new Checker(SCHEMA, Set.of(), _ -> List.of(), new KeyOrigins("run.yaml"), Set.of());
  }

  /** An allowed value that is not the default. */
  private static Object sample(Key key) {
    if (key.type() instanceof ValueType.Word word) {
      Stream<String> words =
          Stream.concat(
              key.status() == Key.Status.LATER ? word.later().stream() : Stream.of(),
              word.words().isEmpty() ? Stream.of("name") : word.words().stream());
      return words.filter(w -> !w.equals(key.standard())).findFirst().orElseThrow();
    }
    return SAMPLES.stream()
        .filter(value -> key.type().accepts(value) && !value.equals(key.standard()))
        .findFirst()
        .orElseGet(() -> fail(key.name() + " has no sample"));
  }

  /** A tree with one value at {@code path}. */
  private static Map<String, @Nullable Object> tree(String path, @Nullable Object value) {
    List<String> keys = YamlTree.keys(path);
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    Map<String, @Nullable Object> inner = tree;
    for (String key : keys.subList(0, keys.size() - 1)) {
      Map<String, @Nullable Object> next = new LinkedHashMap<>();
      if (key.equals("Tag")) {
        next.put("env_type", "frozen_lake");
      }
      inner.put(key, next);
      inner = next;
    }
    inner.put(keys.getLast(), value);
    return tree;
  }
}
