package roll.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.decoder.ModelMerger;
import roll.runtime.pipeline.TrainingRun;
import roll.runtime.pipeline.TrainingRun.Outcome;

/** A small run of the main pipeline is reproducible, also when interrupted and resumed. */
@Tag("framework")
@Timeout(240)
@TestInstance(Lifecycle.PER_CLASS)
class TrainingTest {
  private final Path folder;

  private final FrozenLakeRuns runs;

  /** The run that tests compare theirs with; none modifies it. */
  private Path whole;

  TrainingTest(@TempDir Path folder) {
    this.folder = folder;
    this.runs = new FrozenLakeRuns(folder);
  }

  @BeforeAll
  void trainWhole() throws Exception {
    whole = runs.train("whole").folder();
  }

  @Test
  void repeatsAndResumesBitForBit() throws Exception {
    // with arithmetic known to this CPU
    Path again = runs.train("again", "full_determinism=true").folder();
    RunAssertions.assertSameRun(whole, again);

    Path cut = folder.resolve("cut");
    SmallRuns.copy(whole.resolve("checkpoint-2"), cut.resolve("checkpoint-2"));
    Files.copy(whole.resolve("metrics.jsonl"), cut.resolve("metrics.jsonl"));
    RunAssertions.assertSameRun(whole, runs.train("cut", "resume_from_checkpoint=true").folder());
  }

  /** Adapters train and resume bit for bit, with the base model as reference. */
  @Test
  void trainsAdaptersAndResumesBitForBit() throws Exception {
    Path base = whole.resolve("checkpoint-" + FrozenLakeRuns.STEPS);
    byte[] weights = Files.readAllBytes(base.resolve("model.safetensors"));
    String[] lora = {
      "pretrain=" + base,
      "actor_train.model_args={lora_target: all-linear, lora_rank: 4, lora_dropout: 0.1}",
      "actor_train.training_args.learning_rate=0.01",
      "use_kl_loss=true",
      "force_disable_old_logprobs_recompute=false"
    };
    Path adapted = runs.train("lora", lora).folder();
    Path adapters = adapted.resolve("checkpoint-" + FrozenLakeRuns.STEPS);
    for (String file : List.of("adapter_config.json", "adapter_model.safetensors")) {
      assertTrue(Files.size(adapters.resolve(file)) > 0, file);
    }
    assertFalse(Files.exists(adapters.resolve("model.safetensors")));
    assertArrayEquals(weights, Files.readAllBytes(base.resolve("model.safetensors")));
    Map<Integer, Map<String, String>> metrics = RunAssertions.metrics(adapted);
    assertEquals(0, difference(metrics, 0), 1e-6);
    assertTrue(
        Math.abs(difference(metrics, FrozenLakeRuns.STEPS - 1)) > 1e-3, "the policy has not moved");

    Path cut = folder.resolve("lora-cut");
    SmallRuns.copy(adapted.resolve("checkpoint-2"), cut.resolve("checkpoint-2"));
    Files.copy(adapted.resolve("metrics.jsonl"), cut.resolve("metrics.jsonl"));
    List<String> resumed = new ArrayList<>(List.of(lora));
    resumed.add("resume_from_checkpoint=true");
    RunAssertions.assertSameRun(
        adapted, runs.train("lora-cut", resumed.toArray(String[]::new)).folder());

    Path merged = folder.resolve("merged");
    SmallRuns.service(ModelMerger.class).merge(adapters, null, merged);
    assertEquals(
        FrozenLakeRuns.STEPS, runs.train("after", "pretrain=" + merged).outcome().get().steps());
  }

  /** Returns the difference of the policy's mean log-prob from the reference's. */
  private static double difference(Map<Integer, Map<String, String>> metrics, int step) {
    Map<String, String> values = Objects.requireNonNull(metrics.get(step));
    return Double.parseDouble(values.getOrDefault("critic/old_log_prob/mean", ""))
        - Double.parseDouble(values.getOrDefault("critic/ref_log_prob/mean", ""));
  }

  @Test
  void savesWhenStoppedAndContinues() throws Exception {
    TrainingRun run = runs.start("stopped");
    run.stop();
    Outcome outcome = run.outcome().get();
    assertTrue(outcome.interrupted());
    assertTrue(Files.isDirectory(run.folder().resolve("checkpoint-" + outcome.steps())));
    RunAssertions.assertSameRun(
        whole, runs.train("stopped", "resume_from_checkpoint=true").folder());
  }

  @Test
  void writesWhatItPromises() throws Exception {
    for (String file :
        List.of(
            "config.yaml",
            "metrics.jsonl",
            "run.log",
            "learning-curve.png",
            "checkpoint-4/config.json",
            "checkpoint-4/model.safetensors",
            "checkpoint-4/tokenizer.json",
            "trajectories/step-0.jsonl")) {
      assertTrue(Files.size(whole.resolve(file)) > 0, file);
    }
    for (String place : List.of("frames", "tensorboard")) {
      try (Stream<Path> files = Files.list(whole.resolve(place))) {
        assertTrue(files.findAny().isPresent(), place);
      }
    }
    assertFalse(Files.exists(whole.resolve("checkpoint-1")));
  }

  @Test
  void refusesASecondRunIntoTheSameFolder() throws Exception {
    byte[] metrics = Files.readAllBytes(whole.resolve("metrics.jsonl"));
    UserException refused = assertThrows(UserException.class, () -> runs.start("whole"));
    assertTrue(refused.getMessage().contains("already holds a run"), refused.getMessage());
    assertArrayEquals(metrics, Files.readAllBytes(whole.resolve("metrics.jsonl")));
  }

  @Test
  void leavesNoRunBehindWhereTheModelIsWrong() throws Exception {
    Path model = Files.createDirectory(folder.resolve("model"));
    Path shipped =
        Path.of(System.getProperty("roll.root"), "configs", "models", "frozen-lake-tiny");
    for (String file : List.of("config.json", "tokenizer.json", "tokenizer_config.json")) {
      Files.copy(shipped.resolve(file), model.resolve(file));
    }
    Files.write(model.resolve("model.safetensors"), new byte[] {1, 2, 3});
    UserException refused =
        assertThrows(UserException.class, () -> runs.start("model-run", "pretrain=" + model));
    assertTrue(refused.getMessage().contains("model.safetensors"), refused.getMessage());
    runs.train("model-run");
  }
}
