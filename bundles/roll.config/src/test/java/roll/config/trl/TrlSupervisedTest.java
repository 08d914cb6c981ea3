package roll.config.trl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.PreferenceConfig;
import roll.runtime.config.SftConfig;
import roll.runtime.config.SftConfig.Truncation;

/** Files of trl sft, dpo, kto and reward train as there. */
class TrlSupervisedTest {
  private static final String PAIRS = "model_name_or_path: model\ndataset_name: data\n";

  private final TrlFiles trl;

  TrlSupervisedTest(@TempDir Path folder) {
    trl = new TrlFiles(folder);
  }

  @Test
  void demonstrationsAreRowsWithACompletion() {
    LoadedConfig loaded =
        trl.load(TrlFiles.SFT + "eval_strategy: steps\neval_steps: 5\nnum_train_epochs: 2\n");
    SftConfig sft = Objects.requireNonNull(loaded.sft());
    assertEquals(List.of(trl.data("train")), sft.trainFiles());
    assertEquals(List.of(trl.data("test")), sft.valFiles());
    assertEquals("completion", sft.responseKey());
    assertEquals("messages", sft.messagesKey());
    assertEquals(Truncation.RIGHT, sft.truncation());
    assertTrue(sft.shuffle());
    assertEquals(2, sft.epochs());
    assertEquals(2e-5, loaded.run().roles().actorTrain().training().learningRate());
    assertTrue(loaded.effectiveYaml().contains("sequence_length: 1024"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "++packing=true | packs micro-batches",
        "++completion_only_loss=false | only responses are trained on",
        "++max_length=null | null is not supported",
        "++num_train_epochs=0.5 | an integer, or max_steps",
        "++loss_type=dft | loss_type: 'dft' is not supported",
      })
  void othersAreRefused(String override, String message) {
    String told = trl.complaint(TrlFiles.SFT, override);
    assertTrue(told.contains(message), told);
  }

  @Test
  void lossOnWholeConversationsIsANotice() {
    assertTrue(
        trl.notices(TrlFiles.SFT.replace("only_loss: true", "only_loss: false"))
            .contains("of rows with messages only the assistant's are trained on"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "trl=dpo | dpo | 0.1",
        "f_divergence_type=reverse_kl loss_type=[ipo] | ipo | 0.1",
        "undesirable_weight=2.0 | kto | 0.1",
      })
  void theObjectiveIsTheLoss(String key, String objective, double beta) {
    SftConfig pairs =
        trl.supervised(
            PAIRS + "precompute_ref_log_probs: false\n",
            List.of(key.split(" ")).stream().map(k -> "++" + k).toArray(String[]::new));
    PreferenceConfig preference = Objects.requireNonNull(pairs.preference());
    assertEquals(objective, preference.objective());
    assertEquals(beta, preference.args().get("beta"));
  }

  @Test
  void aRewardModelHasAHead() {
    LoadedConfig loaded = trl.load(PAIRS + "center_rewards_coefficient: 0.01\n");
    PreferenceConfig preference =
        Objects.requireNonNull(Objects.requireNonNull(loaded.sft()).preference());
    assertEquals("bradley_terry", preference.objective());
    assertEquals(Map.of("center_rewards_coefficient", 0.01), preference.args());
    assertTrue(loaded.effectiveYaml().contains("auto_sequence_classification"));
  }

  @Test
  void severalLossesAreRefused() {
    assertTrue(
        trl.complaint(PAIRS + "trl: dpo\nloss_type: [sigmoid, sft]\n")
            .contains("is not supported: one of sigmoid, ipo"));
  }

  @Test
  void anotherCommandIsNamed() {
    assertEquals(
        "run.yaml: a file of trl sft: ./roll sft runs it", trl.complaintForTraining(TrlFiles.SFT));
  }
}
