package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.Trainer;

/** Distillation from a checkpoint. */
@Tag("framework")
@Timeout(240)
class DistillationTest {
  private final Path folder;
  private final FrozenLakeRuns runs;

  DistillationTest(@TempDir Path folder) {
    this.folder = folder;
    this.runs = new FrozenLakeRuns(folder);
  }

  /** The divergence is that of two models, and falls although no reward is read. */
  @Test
  void theStudentApproachesItsTeacher() throws Exception {
    Path teacher = train("teacher").resolve("checkpoint-" + FrozenLakeRuns.STEPS);
    Path run =
        train(
            "student",
            "adv_estimator=distillation",
            "enable_reference=true",
            "reference.model_args.model_name_or_path=" + teacher);
    Map<Integer, Map<String, String>> metrics = RunAssertions.metrics(run);
    falls(metrics, "critic/kl");
  }

  /** The teacher of the only tag is what the reference would be, bit for bit. */
  @Test
  void aTeacherOfATagTakesThePlaceOfTheReference() throws Exception {
    Path model = train("teacher").resolve("checkpoint-" + FrozenLakeRuns.STEPS);
    String folder = ".model_args.model_name_or_path=" + model;
    String[] keys = {"adv_estimator=distillation", "enable_reference=true"};
    Path alone = train("alone", keys[0], keys[1], "reference" + folder);
    String tag = "teachers.lake.tag_included=[FrozenLake]";
    Path tagged = train("tagged", keys[0], keys[1], "teachers.lake" + folder, tag);
    assertEquals(-1, Files.mismatch(weights(alone), weights(tagged)));
    assertEquals(RunAssertions.metrics(alone), RunAssertions.metrics(tagged));
    String time = "time/teachers.lake/compute_log_probs/total";
    assertTrue(Files.readString(tagged.resolve("metrics.jsonl")).contains(time), time);
  }

  /** The loss is the divergence over the vocabulary; a resumed run ends in the same bits. */
  @Test
  void theStudentLearnsTheDistributionOfItsTeacher() throws Exception {
    Path teacher = train("teacher").resolve("checkpoint-" + FrozenLakeRuns.STEPS);
    String[] keys = {
      "distill.beta=0.3", "ppo_epochs=2", "reference.model_args.model_name_or_path=" + teacher
    };
    Path run = train("student", keys);
    Map<Integer, Map<String, String>> metrics = RunAssertions.metrics(run);
    falls(metrics, "actor/distill_loss");
    falls(metrics, "critic/kl");
    Path half = run.resolve("checkpoint-2");
    Path again = train("again", keys[0], keys[1], keys[2], "resume_from_checkpoint=" + half);
    assertEquals(-1, Files.mismatch(weights(run), weights(again)));
  }

  private static Path weights(Path run) {
    return run.resolve("checkpoint-" + FrozenLakeRuns.STEPS + "/model.safetensors");
  }

  @Test
  void modelsThatCannotBeComparedAreNotDistilled() {
    assertEquals(
        "actor_train.strategy_args.strategy_name: 'megatron_train' does not measure divergences, as"
            + " distill asks; local_train can",
        refusal("actor_train.strategy_args.strategy_name=megatron_train"));
    assertEquals(
        "distill.top_k: expected at most 144, the words that both models have, found 145",
        refusal("distill.top_k=145"));
    String tokens =
        refusal(
            "reference.model_args.model_name_or_path="
                + SmallRuns.config("models/click-and-read-words"));
    assertTrue(tokens.startsWith("reference: token "), tokens);
    assertTrue(
        tokens.endsWith("except with adv_estimator: distillation and no other KL term"), tokens);
  }

  /** Spans of text are those of the reference alone. */
  @Test
  void aTeacherOfATagReadsThePolicysTokens() {
    String words = SmallRuns.config("models/click-and-read-words").toString();
    LoadedConfig config =
        SmallRuns.load(
            "frozen_lake.yaml",
            folder,
            List.of(
                "adv_estimator=distillation",
                "enable_reference=true",
                "teachers.lake.tag_included=[FrozenLake]",
                "teachers.lake.model_args.model_name_or_path=" + words));
    String complaint = refusal(config);
    assertTrue(complaint.startsWith("teachers.lake: token "), complaint);
    assertTrue(complaint.endsWith("both need the same tokenizer"), complaint);
  }

  private String refusal(String key) {
    return refusal(SmallRuns.load("frozen_lake.yaml", folder, List.of("distill.beta=1", key)));
  }

  private static String refusal(LoadedConfig config) {
    return String.valueOf(
        assertThrows(UserException.class, () -> SmallRuns.service(Trainer.class).check(config))
            .getMessage());
  }

  private Path train(String name, String... more) throws Exception {
    String[] overrides =
        SmallRuns.overrides(
                more,
                "entropy_loss_coef=0",
                "actor_train.training_args.learning_rate=0.01",
                "actor_train.training_args.warmup_steps=0")
            .toArray(String[]::new);
    return runs.train(name, overrides).folder();
  }

  private static void falls(Map<Integer, Map<String, String>> metrics, String name) {
    double first = value(metrics, 0, name);
    double last = value(metrics, FrozenLakeRuns.STEPS - 1, name);
    assertTrue(first > .01 && last < first / 2, () -> name + ": " + first + " → " + last);
  }

  private static double value(Map<Integer, Map<String, String>> metrics, int step, String name) {
    return Double.parseDouble(Objects.requireNonNull(metrics.get(step)).getOrDefault(name, ""));
  }
}
