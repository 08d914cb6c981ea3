package roll.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.option.UserException;
import roll.runtime.pipeline.SftRun;
import roll.runtime.pipeline.SftRunner;

/** Training on preferences, with each objective. */
@Tag("framework")
@Timeout(240)
class PreferenceTest {
  /** Pairs in the tiny model's vocabulary. */
  private static final String ROWS =
      """
      {"prompt": "_OPG", "chosen": "Up", "rejected": "Down"}
      {"prompt": "OP_G", "chosen": "Down", "rejected": "Up"}
      {"prompt": "G_PO", "chosen": "Up", "rejected": "Up"}
      {"prompt": "G_PO", "chosen": "Up", "rejected": "Down"}
      """;

  private final Path folder;

  PreferenceTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private SftRun prefer(String name, String... more) throws Exception {
    Path rows = Files.writeString(folder.resolve("pairs.jsonl"), ROWS);
    List<String> overrides =
        SmallRuns.overrides(
            more,
            "output_dir=" + folder,
            "exp_name=" + name,
            "preference={train_files: " + rows + ", val_files: " + rows + "}",
            "pretrain=" + SmallRuns.config("models/frozen-lake-tiny"),
            "actor_train.training_args.per_device_train_batch_size=2",
            "actor_train.training_args.gradient_accumulation_steps=1",
            "actor_train.training_args.learning_rate=0.003",
            "actor_train.training_args.lr_scheduler_type=constant",
            "max_steps=12",
            "save_steps=4",
            "eval_steps=6",
            "track_with=[jsonl]");
    SftRun run =
        SmallRuns.service(SftRunner.class)
            .startPreferences(SmallRuns.config("frozen_lake.yaml"), overrides);
    run.outcome().get();
    return run;
  }

  private static List<JsonObject> metrics(Path run) throws IOException {
    return Files.readAllLines(run.resolve("metrics.jsonl")).stream()
        .map(line -> JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("metrics"))
        .toList();
  }

  private static double[] column(Path run, String name) throws IOException {
    return metrics(run).stream()
        .filter(step -> step.has(name))
        .mapToDouble(step -> step.get(name).getAsDouble())
        .toArray();
  }

  private static byte[] weights(Path run, int step) throws IOException {
    return Files.readAllBytes(run.resolve("checkpoint-" + step + "/model.safetensors"));
  }

  @Test
  void marginsGrowAndAResumedRunHasTheSameBits() throws Exception {
    SftRun run = prefer("whole");
    assertTrue(
        run.notices()
            .getFirst()
            .contains("3 pairs from 4 rows; left out: 1 with equal answers (" + folder),
        run.notices().toString());
    double[] losses = column(run.folder(), "sft/loss");
    assertEquals(Math.log(2), losses[0], 1e-6, "policy and reference are equal at first");
    assertTrue(losses[11] < 0.5 * losses[0], losses[0] + " → " + losses[11]);
    double[] right = column(run.folder(), "val/rewards/accuracies");
    assertEquals(1, right[right.length - 1]);

    prefer("cut", "max_steps=4");
    Path cut = prefer("cut", "resume_from_checkpoint=true").folder();
    assertArrayEquals(losses, column(cut, "sft/loss"));
    assertArrayEquals(weights(run.folder(), 12), weights(cut, 12));
  }

  /** The reference of adapters is the model without them, which needs no role of its own. */
  @Test
  void adaptersHaveTheirModelAsReference() throws Exception {
    Path run =
        prefer(
                "lora",
                "actor_train.model_args={lora_target: all-linear, lora_rank: 4}",
                "actor_train.training_args.learning_rate=0.03")
            .folder();
    double[] margins = column(run, "rewards/margins");
    assertEquals(0, margins[0], 1e-6);
    assertTrue(margins[11] > 0.2, margins[0] + " → " + margins[11]);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ipo", "simpo", "orpo", "kto"})
  void everyObjectivePrefersTheChosen(String objective) throws Exception {
    Path run = prefer(objective, "preference.objective=" + objective).folder();
    double[] margins = column(run, "val/rewards/margins");
    assertTrue(margins[margins.length - 1] > margins[0] + 0.05, margins[0] + " → " + margins[1]);
  }

  @Test
  void metricsAreThoseOfTheTable() throws Exception {
    MetricsTest.check(
        MetricsTest.names(prefer("metrics", "max_steps=1").folder()),
        Set.of("`sft`", "`preference`", "`sft.val_files`", "`preference.val_files`"));
    MetricsTest.check(
        MetricsTest.names(prefer("kto", "max_steps=1", "preference.objective=kto").folder()),
        Set.of("`objective: kto`"));
    MetricsTest.check(
        MetricsTest.names(prefer("orpo", "max_steps=1", "preference.objective=orpo").folder()),
        Set.of("`objective: orpo`"));
  }

  @Test
  void whatIsWrongIsNamed() {
    assertRefused("preference.objective: no roll.preference 'dpp' is registered", "objective=dpp");
    assertRefused("preference.objective_args: ", "objective_args={betta: 1}");
    assertRefused("preference.objective_args.beta", "objective_args={beta: -1}");
  }

  private void assertRefused(String start, String override) {
    String said =
        assertThrows(UserException.class, () -> prefer("wrong", "preference." + override))
            .getMessage();
    assertTrue(said.startsWith(start), said);
    assertEquals(1, said.lines().count());
  }
}
