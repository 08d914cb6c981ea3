package roll.config.verl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.LoraConfig;
import roll.api.config.WorkerConfig;
import roll.config.ConfigFiles;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.SftConfig;
import roll.runtime.config.SftConfig.Truncation;

/** Command lines of verl's sft_trainer train on demonstrations. */
class VerlSftTest {
  /** The options of {@code verl-project/verl@1dda039b:examples/sft/gsm8k}. */
  private static final List<String> OPTIONS =
      List.of(
          "data.train_files=train.parquet",
          "data.val_files=test.parquet",
          "data.train_batch_size=64",
          "data.micro_batch_size_per_gpu=4",
          "data.use_dynamic_bsz=False",
          "data.messages_key=conversation",
          "data.ignore_input_ids_mismatch=True",
          "optim.lr=1e-4",
          "engine=fsdp",
          "engine.ulysses_sequence_parallel_size=2",
          "model.path=model",
          "model.use_remove_padding=true",
          "trainer.n_gpus_per_node=4",
          "trainer.default_local_dir=out/sft",
          "trainer.project_name=gsm8k-sft",
          "trainer.experiment_name=gsm8k",
          "trainer.logger=[console,wandb]",
          "trainer.total_epochs=2",
          "trainer.seed=7");

  private final ConfigFiles files;

  VerlSftTest(@TempDir Path folder) {
    files = new ConfigFiles(folder);
  }

  private static String[] with(String... more) {
    List<String> all = new ArrayList<>(OPTIONS);
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private LoadedConfig load(String... more) {
    return files.loadAsWritten("{}\n", with(more));
  }

  @Test
  void demonstrationsAndBatchesAreThose() {
    LoadedConfig loaded = load();
    SftConfig sft = Objects.requireNonNull(loaded.sft());
    assertEquals(List.of(Path.of("train.parquet")), sft.trainFiles());
    assertEquals(List.of(Path.of("test.parquet")), sft.valFiles());
    assertEquals("conversation", sft.messagesKey());
    assertEquals(Truncation.ERROR, sft.truncation());
    assertEquals(2, sft.epochs());
    assertTrue(sft.dropLast());
    assertEquals(1024, loaded.run().sequenceLength());
    assertEquals("gsm8k", loaded.run().expName());
    WorkerConfig trained = loaded.run().roles().actorTrain();
    assertEquals(4, trained.training().microBatch());
    assertEquals(4, trained.training().accumulation());
    assertEquals(64, trained.training().effectiveBatch());
    assertEquals(1e-4, trained.training().learningRate());
    assertEquals("fsdp2_train", trained.strategy());
    assertTrue(
        loaded
            .notices()
            .contains(
                "key 'engine.ulysses_sequence_parallel_size' has no effect here: each device has"
                    + " whole sequences, optimizer steps are the same"),
        loaded.notices().toString());
  }

  @Test
  void megatronAndAdaptersAreThose() {
    LoadedConfig loaded =
        load(
            "engine=megatron",
            "optim=megatron",
            "~engine.ulysses_sequence_parallel_size",
            "engine.tensor_model_parallel_size=2",
            "data.use_dynamic_bsz=True",
            "data.max_token_len_per_gpu=2048",
            "model.lora_rank=8",
            "model.lora_alpha=16");
    WorkerConfig trained = loaded.run().roles().actorTrain();
    assertEquals("megatron_train", trained.strategy());
    assertEquals(1, trained.training().microBatch());
    assertEquals(32, trained.training().accumulation());
    assertEquals(
        new LoraConfig(8, 16, 0, List.of("all-linear")),
        Objects.requireNonNull(trained.model().lora()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "engine=veomni | override 'engine=veomni': engine: expected fsdp or megatron, found"
            + " 'veomni'",
        "model.mtp.enable=true | 'model.mtp' is not supported: models have one head",
        "optim.lrr=1 | unknown option 'optim.lrr'; did you mean 'optim.lr'?",
        "data.train_max_samples=5 | 'data.train_max_samples' is not supported: all rows of the"
            + " files are trained on",
        "data.train_batch_size=6 | data.train_batch_size: expected a multiple of 4 samples on 4"
            + " devices, found '6'",
      })
  void whatIsNotHereIsNamedAsWritten(String option, String message) {
    String complaint = files.complaintAsWritten("{}\n", with(option));
    assertTrue(complaint.contains(message), complaint);
  }

  @Test
  void anotherCommandIsNamed() {
    assertEquals(
        "override 'model.path=model': options of verl's sft_trainer: ./roll sft runs them",
        files.complaint("{}\n", with()));
  }
}
