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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.data.Message;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.ChatFormats;
import roll.api.scoring.ScoringSession;
import roll.api.strategy.InferStrategy;
import roll.runtime.config.RewardModelConfig;
import roll.runtime.config.RunConfig;
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

  /** The reward of its folder is what its own validation says of the same conversations. */
  @Test
  void aRewardModelLearnsAndScores() throws Exception {
    String[] scores = {
      "preference.objective=bradley_terry",
      "actor_train.model_args.model_type=auto_sequence_classification"
    };
    Path run = prefer("scores", scores).folder();
    double[] losses = column(run, "sft/loss");
    assertTrue(losses[11] < 0.3 * losses[0], losses[0] + " → " + losses[11]);
    assertTrue(column(run, "sft/grad_norm")[0] > 0);
    assertEquals(1, Arrays.stream(column(run, "val/rewards/accuracies")).skip(1).min().orElse(0));
    double[] chosen = column(run, "val/rewards/chosen");
    double scored =
        (score(run, "_OPG", "Up") + score(run, "OP_G", "Down") + score(run, "G_PO", "Up")) / 3;
    assertEquals(chosen[chosen.length - 1], scored, 1e-4);

    prefer("stopped", scores[0], scores[1], "max_steps=4");
    Path again = prefer("stopped", scores[0], scores[1], "resume_from_checkpoint=true").folder();
    assertArrayEquals(losses, column(again, "sft/loss"));
    assertArrayEquals(weights(run, 12), weights(again, 12));
  }

  private double score(Path run, String prompt, String answer) throws Exception {
    Path model = run.resolve("checkpoint-12");
    List<String> overrides =
        List.of(
            "reward_models.rm.model_args.model_name_or_path=" + model,
            "reward_models.rm.model_args.model_type=auto_sequence_classification");
    RunConfig config = SmallRuns.load("frozen_lake.yaml", folder, overrides).run();
    RewardModelConfig rewards = Objects.requireNonNull(config.roles().rewardModels().get("rm"));
    InferStrategy strategy = SmallRuns.service(InferStrategy.class, "(roll.strategy=hf_infer)");
    try (Tokenizer tokenizer = SmallRuns.service(TokenizerLoader.class).load(model);
        ScoringSession session = strategy.openScoring(config.session(rewards.worker()))) {
      ChatFormat format =
          SmallRuns.service(ChatFormats.class)
              .find(rewards.worker().template(), tokenizer, Map.of());
      List<Message> said = List.of(new Message("user", prompt), new Message("assistant", answer));
      return session.score(List.of(format.whole(said))).join()[0];
    }
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
    assertRefused(
        "actor_train.model_args.model_type: expected auto_sequence_classification with",
        "objective=bradley_terry");
  }

  private void assertRefused(String start, String override) {
    String said =
        assertThrows(UserException.class, () -> prefer("wrong", "preference." + override))
            .getMessage();
    assertTrue(said.startsWith(start), said);
    assertEquals(1, said.lines().count());
  }
}
