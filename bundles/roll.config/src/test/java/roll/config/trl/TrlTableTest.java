package roll.config.trl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.config.OurKeys;
import roll.config.dialect.Translation.How;
import roll.config.tree.YamlReader;
import roll.config.tree.YamlTree;

/** The table of TRL's keys agrees with TRL's classes, with itself and with our keys. */
class TrlTableTest {
  /** Keys of the table that TRL's classes of this version do not have. */
  private static final Set<String> OTHERS =
      Set.of(
          "num_processes",
          "accelerate_config",
          "num_machines",
          "mixed_precision",
          "main_process_port",
          "env",
          "trl",
          "tools",
          "environment_factory",
          "rollout_func",
          "torch_dtype",
          "warmup_ratio",
          "evaluation_strategy",
          "overwrite_output_dir",
          "logging_dir",
          "group_by_length",
          "max_prompt_length",
          "max_seq_length");

  private final TrlTable table = new TrlTable();

  /**
   * {@code trl-defaults.txt} was written from the dataclasses of trl 1.13.0 and transformers
   * 5.18.0.
   */
  @ParameterizedTest
  @EnumSource(TrlTrainer.class)
  void everyKeyOfTheTrainerIsThereWithItsDefault(TrlTrainer trainer) throws IOException {
    Map<String, TrlKey> own = table.of(trainer);
    Set<String> recorded = new TreeSet<>();
    for (String line : recorded()) {
      String[] columns = line.split(" \\| ", -1);
      if (!List.of(columns[2].toUpperCase(Locale.ROOT).split(" ")).contains(trainer.name())) {
        continue;
      }
      recorded.add(columns[0]);
      TrlKey key = Objects.requireNonNull(own.get(columns[0]), columns[0]);
      Object standard = YamlReader.value(columns[0], columns[1]);
      assertTrue(YamlTree.same(standard, key.standard()), () -> line + ": " + key.standard());
    }
    Set<String> more = new TreeSet<>(own.keySet());
    more.removeAll(recorded);
    more.removeAll(OTHERS);
    assertEquals(Set.of(), more);
    assertTrue(recorded.size() > 130, () -> "only " + recorded.size());
  }

  private static List<String> recorded() throws IOException {
    String file = "trl-defaults.txt";
    try (InputStream in =
        Objects.requireNonNull(TrlTableTest.class.getResourceAsStream(file), file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    }
  }

  /** Every default of the table is of the key's own type, unless it is none of the values here. */
  @Test
  void defaultsFitTheirTypes() {
    for (TrlKey key : table.keys()) {
      Object standard = key.standard();
      assertTrue(standard == null || key.type().accepts(standard), key.name());
    }
  }

  /** Keys that are refused or do nothing have a reason, those that become others a text. */
  @Test
  void everyHandlingIsExplained() {
    for (TrlKey key : table.keys()) {
      boolean explained = !key.text().isEmpty() || !key.ours().isEmpty();
      assertTrue(explained && (key.how() != How.LATER || !key.text().isEmpty()), key.name());
    }
  }

  /** Every target of the table is a key of ours, and every alias a key. */
  @Test
  void targetsExist() {
    List<String> unknown = new ArrayList<>();
    for (TrlKey key : table.keys()) {
      boolean known =
          key.ours().isEmpty()
              || (key.how() == How.ALIAS
                  ? !table.trainers(key.ours()).isEmpty()
                  : OurKeys.has(key.ours()));
      if (!known) {
        unknown.add(key.name() + " → " + key.ours());
      }
    }
    assertEquals(List.of(), unknown);
  }
}
