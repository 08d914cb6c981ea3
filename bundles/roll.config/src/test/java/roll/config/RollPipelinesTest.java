package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of ROLL's other pipelines say which one they are of. */
class RollPipelinesTest {
  private final ConfigFiles files;

  RollPipelinesTest(@TempDir Path folder) {
    files = new ConfigFiles(folder);
  }

  /** Top-level keys of ROLL's example files that the agentic files do not have. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "max_len_mask: true | RLVR pipeline",
        "'rewards: {math_rule: {worker_cls: roll.pipeline.rlvr.rewards.X}}' | RLVR pipeline",
        "'num_return_sequences_in_group: 8\nglobal_template: qwen3' | RLVR pipeline",
        "'global_template: qwen2_5\nsft_train: {}' | SFT pipeline",
        "'validation: {}\nchosen_key: chosen\nrejected_key: rejected' | DPO pipeline",
        "'student_pretrain: a\nteacher_pretrain: b' | distillation pipeline",
        "'rewards: {}\nstudent_train: {}\nteacher: {}' | on-policy distillation",
      })
  void aFileOfAnotherPipelineIsCalledByItsName(String keys, String pipeline) {
    String text = "hydra: {run: {dir: .}}\nexp_name: x\npretrain: model\n" + keys + "\n";
    Path file = files.write("theirs.yaml", text);
    YamlConfigLoader loader = new YamlConfigLoader(name -> null);
    for (boolean sft : new boolean[] {false, true}) {
      String message =
          Objects.requireNonNull(
              userError(
                  () -> {
                    Object unused =
                        sft ? loader.loadForSft(file, List.of()) : loader.load(file, List.of());
                  }));
      assertTrue(message.startsWith(file + ":"), message);
      assertTrue(message.contains("a file of ROLL's " + pipeline + " (key '"), message);
      assertEquals(1, message.lines().count());
    }
  }

  /** A file without the files that it includes is refused by its pipeline. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[../../examples/config/deepspeed_zero@_here_] | 'validation: {}\n"
            + "rewards: {}' | RLVR pipeline",
        "'[base, /group: x]' | 'sft_train: {}' | SFT pipeline",
      })
  void aFileThatBuildsOnWhatIsMissingIsCalledByItsName(String list, String keys, String pipeline) {
    Path file = files.write("theirs.yaml", "defaults: " + list + "\n" + keys + "\n");
    String message = complaint(file);
    assertTrue(message.contains("a file of ROLL's " + pipeline + " (key '"), message);
  }

  /** The missing include of an agentic file is named. */
  @Test
  void anAgenticFileThatBuildsOnWhatIsMissingSaysSo() {
    String text = "defaults: [base@_here_]\nrewards: {}\n" + ConfigFiles.SMALL;
    String message = complaint(files.write("agentic.yaml", text));
    assertTrue(message.contains(":1: defaults: no file '"), message);
  }

  private static String complaint(Path file) {
    return Objects.requireNonNull(
        userError(() -> new YamlConfigLoader(name -> null).load(file, List.of())));
  }

  /** An agentic file with a variable of such a name is one all the same. */
  @Test
  void anAgenticFileIsRead() {
    String text = ConfigFiles.SMALL.replace("pretrain: model", "pretrain: ${student}");
    assertEquals("small", files.load("student: model\n" + text).run().expName());
  }
}
