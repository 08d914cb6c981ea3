package roll.config.trl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of TRL's commands are recognized by their keys. */
class TrlRecognitionTest {
  private static final String SMALL = "model_name_or_path: model\ndataset_name: data\n";

  private final TrlFiles trl;

  TrlRecognitionTest(@TempDir Path folder) {
    trl = new TrlFiles(folder);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "trl=sft | a file of trl sft (TRL 1.13): ./roll sft runs it",
        "trl=dpo | a file of trl dpo (TRL 1.13): ./roll dpo runs it",
        "desirable_weight=1.2 | a file of trl kto (TRL 1.13): ./roll dpo runs it",
        "center_rewards_coefficient=0.01 | a file of trl reward (TRL 1.13): ./roll dpo runs it",
        "dataset_text_field=text | a file of trl sft (TRL 1.13): ./roll sft runs it",
      })
  void theFirstLineSaysTheCommand(String key, String line) {
    assertEquals(line, trl.load(SMALL, "+" + key).notices().getFirst());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "scale_rewards=none | a file of trl grpo (TRL 1.13): ./roll train runs it",
        "normalize_advantages=false | a file of trl rloo (TRL 1.13): ./roll train runs it",
        "trl=rloo | a file of trl rloo (TRL 1.13): ./roll train runs it",
      })
  void reinforcementLearnersAreTrained(String key, String line) {
    String text = SMALL + "reward_funcs: my.f\nmax_steps: 2\n";
    assertEquals(line, trl.load(text, "+" + key).notices().getFirst());
  }

  @Test
  void keysOfSeveralCommandsAreNoGuess() {
    assertEquals(
        "run.yaml:1: model_name_or_path is of a file of TRL's, but the keys are those of trl grpo,"
            + " rloo alike; say which (trl=grpo or trl=rloo)",
        trl.complaint(SMALL + "num_generations: 4\n"));
    assertTrue(
        trl.complaint(SMALL)
            .endsWith("trl=grpo or trl=rloo or trl=sft or trl=dpo or trl=kto or trl=reward)"));
    assertEquals(
        "run.yaml:1: model_name_or_path: no command of TRL's has all of the keys num_generations,"
            + " assistant_only_loss; say whose file it is"
            + " (trl=grpo|rloo|sft|dpo|kto|reward)",
        trl.complaint(SMALL + "num_generations: 4\nassistant_only_loss: true\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "trl=ppo | trl: expected one of grpo, rloo, sft, dpo, kto, reward, found 'ppo'",
        "num_generation=4 | unknown key 'num_generation' of trl grpo; did you mean"
            + " 'num_generations'?",
        "packing=true | key 'packing' is of trl sft, not of trl grpo",
        "epsilon=big | epsilon: expected a number above 0, found 'big'",
        "loss_type=luspo | loss_type: 'luspo' is not supported",
        "push_to_hub=true | push_to_hub: 'true' is not supported: nothing is sent to or read from"
            + " the Hub",
        "max_completion_length=null | max_completion_length: null is not supported: write a value",
        "dataset_name=trl-lib/x | no file or folder 'trl-lib/x' here or next to the configuration"
            + " file; nothing is downloaded (hf download trl-lib/x --repo-type dataset --local-dir"
            + " data/x, then dataset_name=data/x)",
      })
  void mistakesAreNamed(String override, String message) {
    String told = trl.complaint(TrlFiles.GRPO + "trl: grpo\n", "++" + override);
    assertTrue(told.contains(message), told);
  }

  /** A file of ours may call a variable of its own so. */
  @Test
  void otherFilesAreNone() {
    String told = trl.complaint("model_name_or_path: model\npretrain: ${model_name_or_path}\n");
    assertTrue(told.contains("sequence_length"), told);
  }
}
