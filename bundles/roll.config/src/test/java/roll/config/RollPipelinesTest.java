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
  private final YamlConfigLoader loader = new YamlConfigLoader(name -> null);
  private final ConfigFiles files;

  RollPipelinesTest(@TempDir Path folder) {
    files = new ConfigFiles(folder);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "false | 'global_template: qwen2_5\nsft_train: {}' | SFT pipeline (key 'sft_train') | sft",
        "false | 'student_pretrain: a\nteacher_pretrain: b' | distillation pipeline (key"
            + " 'student_pretrain') | sft",
        "false | 'rewards: {}\nkd_objective: a' | distillation pipeline (key 'kd_objective') | sft",
        "false | 'validation: {}\nrejected_key: r' | DPO pipeline (key 'rejected_key') | dpo",
        "true | student_train: {} | on-policy distillation (key 'student_train') | train",
        "true | max_len_mask: true | RLVR pipeline (key 'max_len_mask') | train",
        "true | 'rewards: {math_rule: {}}' | RLVR pipeline (key 'rewards') | train",
      })
  void anotherCommandIsNamed(boolean sft, String keys, String pipeline, String command) {
    String message = complaint(theirs(keys), sft);
    String expected = ": a file of ROLL's %s: ./roll %s runs it".formatted(pipeline, command);
    assertTrue(message.endsWith(expected), message);
  }

  /** A missing include is named. */
  @Test
  void aFileThatBuildsOnWhatIsMissingSaysSo() {
    for (String text : List.of("rewards: {}\n" + ConfigFiles.SMALL, "sft_train: {}\n")) {
      Path file = files.write("agentic.yaml", "defaults: [base@_here_]\n" + text);
      assertTrue(complaint(file, false).contains(":1: defaults: no file '"), text);
    }
  }

  private Path theirs(String keys) {
    return files.write(
        "theirs.yaml", "hydra: {run: {dir: .}}\nexp_name: x\npretrain: model\n" + keys + "\n");
  }

  private String complaint(Path file, boolean sft) {
    return Objects.requireNonNull(
        userError(
            () -> {
              Object unused =
                  sft ? loader.loadForSft(file, List.of()) : loader.load(file, List.of());
            }));
  }

  /** An agentic file with a variable of such a name is one all the same. */
  @Test
  void anAgenticFileIsRead() {
    String text = ConfigFiles.SMALL.replace("pretrain: model", "pretrain: ${student}");
    assertEquals("small", files.load("student: model\n" + text).run().expName());
  }
}
