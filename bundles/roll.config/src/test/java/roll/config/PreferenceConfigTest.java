package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.LoadedSft;
import roll.runtime.config.ModelRoles;
import roll.runtime.config.PreferenceConfig;
import roll.runtime.config.SftConfig;
import roll.runtime.config.SftConfig.Truncation;

/** Training on preferences has a reference, and files of its own. */
class PreferenceConfigTest {
  private final YamlConfigLoader loader = new YamlConfigLoader();
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    Files.createDirectory(folder.resolve("model"));
    Files.writeString(folder.resolve("pairs.jsonl"), "");
    file =
        Files.writeString(
            folder.resolve("prefer.yaml"),
            """
            pretrain: model
            sequence_length: 64
            preference: {train_files: pairs.jsonl, objective_args: {beta: 0.3}}
            """);
  }

  @Test
  void theDataIsThatOfThePreferences() throws IOException {
    LoadedSft loaded = loader.loadForSft(file, List.of("max_steps=3"));
    SftConfig expected =
        new SftConfig(
            List.of(folder.resolve("pairs.jsonl").toAbsolutePath()),
            List.of(),
            "prompt",
            "completion",
            "messages",
            null,
            Truncation.DROP,
            true,
            0,
            3,
            new PreferenceConfig("dpo", Map.of("beta", 0.3), "chosen", "rejected", "label"));
    assertEquals(expected, loaded.sft());
    assertEquals("preference", loaded.sft().section());
    assertNotNull(loaded.config().run().roles().reference());
    Path again = Files.writeString(folder.resolve("again.yaml"), loaded.config().effectiveYaml());
    assertEquals(expected, loader.loadForSft(again, List.of()).sft());
  }

  @Test
  void theReferenceOfAdaptersIsTheModelWithoutThem() {
    LoadedConfig config = loader.loadAsWritten(file, List.of());
    assertTrue(config.onlySft());
    assertEquals(Set.of("actor_train", "reference"), config.rolesByName().keySet());
    String lora = "actor_train.model_args={lora_target: all-linear, lora_rank: 4}";
    assertEquals(
        Set.of("actor_train"), loader.loadAsWritten(file, List.of(lora)).rolesByName().keySet());
  }

  @Test
  void aRewardModelHasAHeadAndNoReference() throws IOException {
    String scores = "actor_train.model_args.model_type=auto_sequence_classification";
    LoadedSft loaded = loader.loadForSft(file, List.of(scores));
    ModelRoles roles = loaded.config().run().roles();
    assertTrue(roles.valued("actor_train"));
    assertNull(roles.reference());
    Path again = Files.writeString(folder.resolve("again.yaml"), loaded.config().effectiveYaml());
    assertTrue(loader.loadForSft(again, List.of()).config().run().roles().valued("actor_train"));
    assertFalse(loader.loadForSft(file, List.of()).config().run().roles().valued("actor_train"));
    refused(
        "actor_train.model_args.lora_target: expected nothing: a reward model is trained as a"
            + " whole",
        scores,
        "actor_train.model_args.lora_target=all-linear");
  }

  @Test
  void whatIsWrongIsTold() {
    refused("preference: a run trains on demonstrations (sft) or on", "sft={train_files: a}");
    refused("preference.train_files: expected at least one file", "preference.train_files=[]");
    refused("unknown key 'preference.beta'", "preference.beta=0.1");
    refused("sft is missing: it names the demonstrations", "preference=~");
  }

  private void refused(String message, String... overrides) {
    String refusal = userError(() -> loader.loadForSft(file, List.of(overrides)));
    assertTrue(refusal.contains(message), refusal);
  }
}
