package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RewardModelConfig;

/** Entries of reward_models that score by a head. */
@NullMarked
class ScoringModelsTest extends SmallConfigFixture {
  private static final String TYPE = "reward_models.rm.model_args.model_type=";
  private static final String SCORES = TYPE + "auto_sequence_classification";

  private static RewardModelConfig model(LoadedConfig loaded) {
    return Objects.requireNonNull(loaded.run().roles().rewardModels().get("rm"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto_sequence_classification", "auto_token_classification"})
  void itsTypeSaysThatItScores(String type) {
    LoadedConfig loaded = load(TYPE + type, "reward_models.rm.sequence_length=32");
    assertTrue(model(loaded).scores());
    assertTrue(loaded.run().roles().scoring("reward_models.rm"));
    assertEquals(32, model(loaded).sequenceLength());
    assertEquals("hf_infer", model(loaded).worker().strategy());
    assertEquals(load().notices(), loaded.notices());
    LoadedConfig again = files().load(loaded.effectiveYaml());
    assertEquals(loaded.run(), again.run());
    assertEquals(loaded.notices(), again.notices());
  }

  @Test
  void withoutATypeItWrites() {
    assertFalse(model(load("reward_models.rm={}")).scores());
    assertFalse(model(load(TYPE + "causal_lm")).scores());
  }

  @ParameterizedTest
  @CsvSource({
    "generating_args, '{temperature: 0}'",
    "logits_in_fp32, true",
  })
  void whatOnlyWritersHaveIsNoticed(String key, String value) {
    LoadedConfig loaded = load(SCORES, "reward_models.rm." + key + "=" + value);
    List<String> more =
        loaded.notices().stream().filter(n -> n.contains("'reward_models")).toList();
    assertEquals(
        List.of(
            "key 'reward_models.rm."
                + key
                + "' has no effect here: model_type auto_sequence_classification scores and writes"
                + " nothing"),
        more);
    assertFalse(model(loaded).worker().model().wideLogits());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "model_args.adapter_name_or_path=. | reward_models.rm.model_args.adapter_name_or_path:"
            + " expected nothing with model_type auto_sequence_classification: merge the adapters"
            + " into the model",
        "model_args.num_labels=2 | reward_models.rm.model_args.num_labels: expected an integer"
            + " from 1 to 1, found '2'",
      })
  void whatCannotBeIsRefused(String override, String complaint) {
    String refused = userError(() -> load(SCORES, "reward_models.rm." + override));
    assertTrue(refused.endsWith(complaint), refused);
  }

  @Test
  void headsOfTrlAreRefusedByName() {
    String refused = userError(() -> load(TYPE + "trl"));
    assertTrue(refused.contains("reward_models.rm.model_args.model_type"), refused);
  }
}
