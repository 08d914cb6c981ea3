package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.SftRun;
import roll.runtime.pipeline.SftRunner;
import roll.runtime.pipeline.Trainer;

/** Files of TRL's commands, as its guides write them, are checked and trained. */
@Tag("framework")
@Timeout(240)
class TrlFilesTest {
  /** In the tiny model's vocabulary. */
  private static final String ROWS =
      """
      {"prompt": "_OPG", "completion": "Up", "chosen": "Up", "rejected": "Down", "level": 1}
      {"prompt": "OP_G", "completion": "Down", "chosen": "Down", "rejected": "Up", "level": 2}
      {"prompt": "G_PO", "completion": "Up", "chosen": "Up", "rejected": "Down", "level": 3}
      {"prompt": "GP_O", "completion": "Up", "chosen": "Up", "rejected": "Down", "level": 4}
      """;

  private static final String FUNCTIONS =
      """
      def level(completions, level, **kwargs):
          return [float(len(completions[0]) % 5) + level[0]]

      async def rarely(prompts, completions, completion_ids, **kwargs):
          return [None if len(completion_ids[0]) > 2 else 1.0]
      """;

  private static final String MODEL =
      """
      model_name_or_path: frozen-lake-tiny
      dataset_name: data
      random_weights: true
      output_dir: out/trl
      bf16: false
      num_processes: 1
      """;

  private static final String GRPO =
      MODEL
          + """
          reward_funcs: ['rewards.py:level', 'rewards.py:rarely']
          reward_weights: [1.0, 0.5]
          num_generations: 4
          max_completion_length: 4
          vllm_max_model_length: 64
          learning_rate: 1.0e-4
          scale_rewards: group
          beta: 0.04
          max_steps: 2
          """;

  private final Path folder;

  TrlFilesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeEach
  void write() throws IOException {
    Path data = Files.createDirectories(folder.resolve("data"));
    Files.writeString(data.resolve("train.jsonl"), ROWS);
    Files.writeString(data.resolve("test.jsonl"), ROWS);
    Files.writeString(folder.resolve("rewards.py"), FUNCTIONS);
    Files.createSymbolicLink(
        folder.resolve("frozen-lake-tiny"), SmallRuns.config("models/frozen-lake-tiny"));
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("run.yaml"), text);
  }

  private LoadedConfig load(String text) throws IOException {
    return SmallRuns.service(ConfigLoader.class)
        .loadAsWritten(file(text), List.of("output_dir=" + folder.resolve("out/trl")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        trl: sft
        learning_rate: 2.0e-5
        report_to: none
        lr_scheduler_type: cosine
        max_length: 64
        """,
        """
        trl: sft
        assistant_only_loss: true
        use_peft: true
        lora_target_modules: all-linear
        max_length: 64
        eval_strategy: steps
        eval_steps: 2
        """,
        """
        loss_type: [sigmoid]
        beta: 0.2
        max_length: 64
        trl: dpo
        """,
        """
        trl: rloo
        reward_funcs: get_soft_overlong_punishment
        max_completion_length: 8
        vllm_max_model_length: 64
        max_steps: 2
        num_iterations: 1
        """,
        """
        loss_type: dr_grpo
        scale_rewards: none
        reward_funcs: get_soft_overlong_punishment
        max_completion_length: 8
        vllm_max_model_length: 64
        num_train_epochs: 1
        num_generations: 4
        use_vllm: true
        mask_truncated_completions: true
        """
      })
  void filesOfTrlAreValid(String more) throws IOException {
    LoadedConfig loaded = load(MODEL + more);
    assertTrue(
        loaded.notices().getFirst().startsWith("a file of trl "), loaded.notices()::toString);
    SmallRuns.service(Trainer.class).requireStart(loaded);
  }

  @Test
  void grpoTrainsOnTheUsersFunctions() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "no /usr/bin/python3");
    Path run = SmallRuns.finish(SmallRuns.service(Trainer.class).start(load(GRPO)));
    List<String> lines = Files.readAllLines(run.resolve("metrics.jsonl"));
    assertEquals(2, lines.stream().filter(line -> line.contains("actor/pg_loss")).count());
    assertTrue(lines.getFirst().contains("reward/python/level"), lines.getFirst());
    assertTrue(lines.getFirst().contains("actor/kl_loss"), lines.getFirst());
  }

  @Test
  void sftTrainsOnCompletions() throws Exception {
    String text =
        MODEL
            + """
            trl: sft
            max_length: 64
            per_device_train_batch_size: 2
            num_train_epochs: 1
            """;
    SftRun run =
        SmallRuns.service(SftRunner.class)
            .start(file(text), List.of("output_dir=" + folder.resolve("out/trl")));
    run.outcome().get();
    List<String> lines = Files.readAllLines(run.folder().resolve("metrics.jsonl"));
    assertEquals(2, lines.stream().filter(line -> line.contains("sft/loss")).count());
  }
}
