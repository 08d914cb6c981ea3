package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.LoadedSft;
import roll.runtime.config.RunConfig;
import roll.runtime.config.SftConfig;
import roll.runtime.config.SftConfig.Truncation;

/** A warm start needs files and a model, and no environments. */
class SftConfigTest {
  private final YamlConfigLoader loader = new YamlConfigLoader();
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    Files.createDirectory(folder.resolve("model"));
    Files.writeString(folder.resolve("demos.jsonl"), "");
    file =
        Files.writeString(
            folder.resolve("warm.yaml"),
            """
            pretrain: model
            sequence_length: 64
            sft: {train_files: demos.jsonl}
            actor_train: {training_args: {warmup_ratio: 0.5}}
            """);
  }

  /** Keys of sampling have no effect on supervised fine-tuning. */
  @Test
  void logitsAreTakenAsTheyAre() {
    List<String> sampling =
        List.of(
            "scale_logits_by_temperature=true",
            "batch_invariant=true",
            "train_env_manager.generating_args.temperature=0.5");
    RunConfig run = loader.loadForSft(file, sampling).config().run();
    assertEquals(1, run.roles().actorTrain().model().temperature());
    assertFalse(run.roles().actorTrain().model().batchInvariant());
  }

  @Test
  void filesAreFoundBesideTheConfiguration() {
    LoadedSft loaded = loader.loadForSft(file, List.of());
    assertEquals(
        new SftConfig(
            List.of(folder.resolve("demos.jsonl").toAbsolutePath()),
            List.of(),
            "prompt",
            "response",
            "messages",
            null,
            Truncation.ERROR,
            true,
            1,
            0),
        loaded.sft());
    assertEquals("warm", loaded.config().run().expName());
  }

  @Test
  void stepsEndItAndEpochsOnlyWhereTheyAreGiven() {
    LoadedSft steps = loader.loadForSft(file, List.of("max_steps=8"));
    assertEquals(0, steps.sft().epochs());
    assertEquals(8, steps.sft().maxSteps());
    assertEquals(8, steps.config().run().roles().actorTrain().training().totalSteps());
    assertEquals(4, steps.config().run().roles().actorTrain().training().warmupSteps());
    SftConfig both = loader.loadForSft(file, List.of("max_steps=8", "sft.epochs=2")).sft();
    assertEquals(List.of(2, 8), List.of(both.epochs(), both.maxSteps()));
  }

  @Test
  void whatIsWrittenLoadsToTheSame() throws IOException {
    LoadedSft loaded = loader.loadForSft(file, List.of("sft.min_score=0.5", "max_steps=3"));
    Path again = Files.writeString(folder.resolve("again.yaml"), loaded.config().effectiveYaml());
    assertEquals(loaded.sft(), loader.loadForSft(again, List.of()).sft());
  }

  @Test
  void aFileSaysWhatItIsOf() {
    LoadedConfig warm = loader.loadAsWritten(file, List.of());
    assertTrue(warm.onlySft());
    assertEquals(loader.loadForSft(file, List.of()).sft(), warm.sft());
    List<String> both =
        List.of(
            "custom_envs={Lake: {env_type: frozen_lake, max_steps: 3}}",
            "train_env_manager={group_size: 4, generating_args: {max_new_tokens: 16}}",
            "actor_train.training_args.per_device_train_batch_size=4",
            "rollout_batch_size=8",
            "val_batch_size=4",
            "max_steps=10");
    LoadedConfig training = loader.loadAsWritten(file, both);
    assertEquals(
        List.of(folder.resolve("demos.jsonl").toAbsolutePath()),
        Objects.requireNonNull(training.sft()).trainFiles());
    assertFalse(training.onlySft());
    List<String> without = new ArrayList<>(both);
    without.add("sft=~");
    assertNull(loader.loadAsWritten(file, without).sft());
  }

  @Test
  void whatIsMissingIsTold() {
    refused("sft is missing: it names the demonstrations", "sft=~");
    refused("sft.train_files is missing", "sft={epochs: 2}");
    refused("sft.train_files: expected at least one file", "sft.train_files=[]");
    refused(
        "sft.truncation: expected one of error, left, right, middle, drop", "sft.truncation=cut");
    refused("unknown key 'sft.epoch'", "sft.epoch=2");
    refused("data.train_files is verl's for reinforcement learning", "data.train_files=a.jsonl");
  }

  private void refused(String message, String override) {
    String refusal = userError(() -> loader.loadForSft(file, List.of(override)));
    assertTrue(refusal.contains(message), refusal);
  }
}
