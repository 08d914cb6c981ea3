package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import roll.config.schema.Schema;
import roll.runtime.config.KeyReference.Entry;

class KeyTablesTest {
  private final KeyTables tables = new KeyTables();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "roll | seed | used | 42 | ''",
        "roll | custom_envs.<name>.env_type | used | required | ''",
        "roll | custom_envs.<name>.pre_step_template | translated | '' | ''",
        "roll | actor_train.model_args.ulysses_size | translated | 1 | ''",
        "verl | data.train_batch_size | translated | 1024 | train_env_manager.num_env_groups",
        "agentfly | agent.use_agent | translated | '' | custom_envs.Dataset.agent",
        "agentfly | agent.init_args.backend | ignored | async_verl | ''",
        "trl | learning_rate [sft] | used | 2.0E-5 | actor_train.training_args.learning_rate",
        "trl | packing [sft] | refused | false | ''"
      })
  void aKeyIsListedWithItsHandling(
      String framework, String key, String status, String standard, String here) {
    Entry entry =
        tables.keys(framework).stream().filter(e -> e.key().equals(key)).findFirst().orElseThrow();
    assertEquals(
        List.of(status, standard, here),
        List.of(entry.status(), entry.defaultValue(), entry.here()));
  }

  /** Keys that are not used need a reason. */
  @ParameterizedTest
  @FieldSource("roll.runtime.config.KeyReference#FRAMEWORKS")
  void ignoredKeysHaveReasons(String framework) {
    for (Entry entry : tables.keys(framework)) {
      if (entry.status().equals("ignored") || entry.status().equals("translated")) {
        assertFalse(entry.reason().isEmpty(), entry.key());
      }
    }
  }

  @ParameterizedTest
  @FieldSource("roll.runtime.config.KeyReference#FRAMEWORKS")
  void noKeyIsListedTwice(String framework) {
    List<String> keys = tables.keys(framework).stream().map(Entry::key).toList();
    assertEquals(new TreeSet<>(keys).size(), keys.size());
  }

  /** Every key of this project that completion offers is in the table. */
  @Test
  void allKeysThatCompletionOffersAreListed() {
    Set<String> listed =
        tables.keys("roll").stream()
            .map(entry -> entry.key().replace("<name>", "*"))
            .collect(Collectors.toSet());
    for (String path : new Schema().paths()) {
      assertTrue(listed.contains(Objects.requireNonNull(path)), path);
    }
  }
}
