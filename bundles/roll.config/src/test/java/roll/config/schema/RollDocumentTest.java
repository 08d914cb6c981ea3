package roll.config.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The tables in {@code docs/roll-options.md} are what the schema says of ROLL's keys. */
class RollDocumentTest {
  private static final String HEAD = "## At the top\n";

  /** Where the mappings of ROLL's stand, in the order of the document. */
  private static final Map<String, String> PLACES =
      places(
          ".", "At the top",
          "environment", "`custom_envs.<tag>`",
          "manager", "`train_env_manager`, `val_env_manager`",
          "proxy", "`….llm_proxy`",
          "normalization", "`reward_normalization`",
          "correction", "`train_infer_correction`",
          "is_weight", "`train_infer_correction.is_weight`",
          "actor_train", "Roles: `actor_train`, `actor_infer`, `reference`, `critic`",
          "model", "`….model_args`",
          "training", "`….training_args`",
          "generating", "`….generating_args`",
          "data", "`….data_args`",
          "strategy", "`….strategy_args`",
          "router_replay", "`….router_replay`",
          "rollout_mock", "`rollout_mock`",
          "checkpoint", "`checkpoint_config`",
          "router", "`router_args`");

  /** Read as other keys before the schema is asked. */
  private static final Map<String, String> TRANSLATED =
      Map.of(
          "pre_step_template", "what stands before `{observation}` in `agent_template`",
          "next_step_template", "what stands behind `{observation}` in `agent_template`",
          "tool_wrapper", "`agent` and `rewards.tool_use`",
          "agent_runner_cls", "`GEMRunner` is `env_manager_cls: trajectory`, others are refused",
          "ulysses_size", "whole sequences: `gradient_accumulation_steps` is divided by it");

  private final Schema schema = new Schema();

  private static Map<String, String> places(String... pairs) {
    Map<String, String> places = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      places.put(pairs[i], pairs[i + 1]);
    }
    return places;
  }

  @Test
  void theDocumentHasTheTables() throws IOException {
    Map<String, Set<String>> keys = keysOfRoll();
    assertEquals(new TreeSet<>(PLACES.keySet()), new TreeSet<>(keys.keySet()));
    StringBuilder tables = new StringBuilder();
    PLACES.forEach(
        (section, place) -> {
          tables.append("## ").append(place).append('\n');
          tables.append("| key | values | default | here |\n|---|---|---|---|\n");
          Map<String, Key> known = schema.section(section.replaceFirst("^\\.$", Schema.RUN));
          for (String name : Objects.requireNonNull(keys.get(section))) {
            tables.append(line(Objects.requireNonNull(known.get(name), section + ": " + name)));
          }
          tables.append('\n');
        });
    Path document =
        Path.of(Objects.requireNonNull(System.getProperty("roll.root")), "docs/roll-options.md");
    String table = tables.toString().strip() + "\n";
    Files.writeString(Path.of("target/roll-options.md"), table); // to be copied
    String text = Files.readString(document);
    assertTrue(text.contains(HEAD), "no " + HEAD);
    assertEquals(
        table, text.substring(text.indexOf(HEAD)), "target/roll-options.md has it as it should be");
  }

  private static String line(Key key) {
    Object standard = key.standard();
    boolean section = key.type() instanceof ValueType.Sub;
    return "| `%s` | %s | %s | %s |\n"
        .formatted(
            key.name(),
            section ? "a mapping" : key.type().allowed().replace("|", "\\|"),
            standard == null || section
                ? (key.required() ? "required" : "–")
                : "`" + standard + "`",
            here(key));
  }

  private static String here(Key key) {
    String translated = TRANSLATED.get(key.name());
    if (translated != null) {
      return "read as another key: " + translated;
    }
    return switch (key.status()) {
      case SUPPORTED -> "used";
      case NO_EFFECT -> "does nothing: " + key.reason();
      case LATER ->
          "refused unless it has its default"
              + (key.reason().equals("later") ? "" : ": " + key.reason());
    };
  }

  /** By their mappings, in the order of {@code roll-keys.txt}. */
  private static Map<String, Set<String>> keysOfRoll() throws IOException {
    Map<String, Set<String>> keys = new LinkedHashMap<>();
    try (InputStream in =
        Objects.requireNonNull(RollDocumentTest.class.getResourceAsStream("roll-keys.txt"))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().filter(l -> !l.startsWith("#")).toList()) {
        String section = line.substring(0, line.indexOf(':'));
        keys.computeIfAbsent(section, name -> new LinkedHashSet<>())
            .addAll(List.of(line.substring(line.indexOf(':') + 1).strip().split(" ", -1)));
      }
    }
    return keys;
  }
}
