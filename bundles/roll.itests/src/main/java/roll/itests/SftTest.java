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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import roll.api.option.UserException;
import roll.runtime.pipeline.SftRun;
import roll.runtime.pipeline.SftRunner;

/** A supervised warm start, from demonstrations to a model that plays. */
@Tag("framework")
@Timeout(240)
class SftTest {
  /** Demonstrations in the tiny model's vocabulary. */
  private static final String ROWS =
      """
      {"messages": [{"role": "user", "content": "_OPG"}, {"role": "assistant", "content": "Up"}]}
      {"prompt": "OP_G", "response": "Down"}
      {"prompt": "G_PO", "response": "Up"}
      """;

  private final Path folder;

  SftTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private SftRun sft(String name, String... more) throws Exception {
    Path rows = Files.writeString(folder.resolve("rows.jsonl"), ROWS);
    List<String> overrides =
        SmallRuns.overrides(
            more,
            "output_dir=" + folder,
            "exp_name=" + name,
            "sft={train_files: " + rows + ", val_files: " + rows + "}",
            "pretrain=" + SmallRuns.config("models/frozen-lake-tiny"),
            "actor_train.training_args.per_device_train_batch_size=2",
            "actor_train.training_args.gradient_accumulation_steps=1",
            "actor_train.training_args.learning_rate=0.01",
            "max_steps=30",
            "save_steps=10",
            "eval_steps=10",
            "track_with=[jsonl]");
    SftRun run =
        SmallRuns.service(SftRunner.class).start(SmallRuns.config("frozen_lake.yaml"), overrides);
    run.outcome().get();
    return run;
  }

  private static List<JsonObject> metrics(Path run) throws IOException {
    return Files.readAllLines(run.resolve("metrics.jsonl")).stream()
        .map(line -> JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("metrics"))
        .toList();
  }

  private static double[] losses(Path run) throws IOException {
    return metrics(run).stream()
        .filter(step -> step.has("sft/loss"))
        .mapToDouble(step -> step.get("sft/loss").getAsDouble())
        .toArray();
  }

  private static byte[] weights(Path run, int step) throws IOException {
    return Files.readAllBytes(run.resolve("checkpoint-" + step + "/model.safetensors"));
  }

  /** The demonstrations of the teacher are learned from its distributions alone. */
  @Test
  void theDistributionsOfATeacherAreLearned() throws Exception {
    Path teacher = sft("teacher").folder().resolve("checkpoint-30");
    Path run =
        sft(
                "student",
                "distill={beta: 0, loss_weight: 1}",
                "reference.model_args.model_name_or_path=" + teacher)
            .folder();
    double[] divergences =
        metrics(run).stream()
            .filter(step -> step.has("sft/distill_loss"))
            .mapToDouble(step -> step.get("sft/distill_loss").getAsDouble())
            .toArray();
    assertEquals(30, divergences.length);
    assertTrue(divergences[0] > .1, () -> "" + divergences[0]);
    assertTrue(divergences[29] < divergences[0] / 4, () -> "" + divergences[29]);
    double[] losses = losses(run);
    assertTrue(losses[29] < losses[0] / 2, () -> losses[0] + " → " + losses[29]);
  }

  @Test
  void whatIsShownIsLearnedTheSameEachTimeAndAfterAResume() throws Exception {
    SftRun run = sft("whole");
    assertTrue(
        run.notices().getFirst().startsWith("sft.train_files: 3 demonstrations"),
        run.notices().toString());
    double[] losses = losses(run.folder());
    assertEquals(30, losses.length);
    assertTrue(losses[29] < 0.3 * losses[0], losses[0] + " → " + losses[29]);
    double first = metrics(run.folder()).getFirst().get("sft/val_loss").getAsDouble();
    double last = metrics(run.folder()).getLast().get("sft/val_loss").getAsDouble();
    assertTrue(last < 0.3 * first, first + " → " + last);

    Path again = sft("again").folder();
    assertArrayEquals(losses, losses(again));
    assertArrayEquals(weights(run.folder(), 30), weights(again, 30));

    sft("cut", "max_steps=10", "actor_train.training_args.lr_scheduler_type=constant");
    Path whole = sft("constant", "actor_train.training_args.lr_scheduler_type=constant").folder();
    Path cut =
        sft(
                "cut",
                "actor_train.training_args.lr_scheduler_type=constant",
                "resume_from_checkpoint=true")
            .folder();
    assertArrayEquals(losses(whole), losses(cut));
    assertArrayEquals(weights(whole, 30), weights(cut, 30));
  }

  /** A sharded model learns the same: the last losses depend on all gradients of all ranks. */
  @ParameterizedTest
  @MethodSource("spreads")
  void aSpreadModelLearnsTheSame(ShardedRuns.Spread spread) throws Exception {
    assertArrayEquals(spread(ShardedRuns.Spread.ALONE), spread(spread), 1e-4);
  }

  static List<ShardedRuns.Spread> spreads() {
    return List.of(
        ShardedRuns.Spread.zero(2, 3),
        ShardedRuns.Spread.megatron(1, 2, 1, ""),
        ShardedRuns.Spread.megatron(1, 1, 2, ", sequence_parallel: true"));
  }

  private double[] spread(ShardedRuns.Spread spread) throws Exception {
    Path rows = Files.writeString(folder.resolve("more.jsonl"), ROWS.repeat(4));
    List<String> more = new ArrayList<>(spread.of("actor_train", 4));
    more.addAll(List.of("max_steps=8", "sft.train_files=" + rows));
    return losses(sft("spread-" + spread.strategy(), more.toArray(String[]::new)).folder());
  }

  @Test
  void metricsAreThoseOfTheTable() throws Exception {
    MetricsTest.check(
        MetricsTest.names(sft("metrics", "max_steps=1", "metric_names=verl").folder()),
        Set.of(
            "`sft`",
            "`sft.val_files`",
            "`metric_names: verl` and `sft`",
            "`metric_names: verl` and `sft.val_files`"));
  }

  /** Episodes of the scripted expert warm up a policy. */
  @Test
  void episodesOfTheScriptedAgentWarmThePolicyUp() throws Exception {
    String config = SmallRuns.config("frozen_lake.yaml").toString();
    String common =
        " output_dir='%s' pretrain='%s' rollout_batch_size=32 train_env_manager.num_env_groups=4"
            .formatted(folder, SmallRuns.config("models/frozen-lake-tiny"));
    CommandsTest.run(
        "roll:rollout '%s' --agent scripted --episodes 32 exp_name=shown %s"
            .formatted(config, common));
    String shown = folder.resolve("shown/trajectories/step-0.jsonl").toString();
    String said =
        CommandsTest.run(
            "roll:sft '%s' exp_name=warm max_steps=20 track_with=jsonl 'sft={train_files: %s, min_score: 0.5}' %s"
                .formatted(config, shown, common));
    assertTrue(said.contains("finished 20 steps, sft/"), said);
    Path warm = folder.resolve("warm/checkpoint-20");
    assertTrue(said.contains("pretrain=" + warm), said);
    double[] losses = losses(folder.resolve("warm"));
    assertTrue(losses[19] < losses[0], losses[0] + " → " + losses[19]);
    String played =
        CommandsTest.run(
            "roll:rollout '%s' exp_name=plays %s pretrain='%s' --episodes 16"
                .formatted(config, common, warm));
    assertTrue(played.contains("16 episodes"), played);
  }

  /** A missing file of demonstrations is reported by check, and refused only by the run. */
  @Test
  void checkReportsAMissingFile() throws Exception {
    String absent = "sft.train_files: no file 'no.jsonl' here or next to the configuration file";
    String config = SmallRuns.config("arithmetic_sft.yaml").toString();
    String said = CommandsTest.run("roll:check '%s' sft.train_files=no.jsonl".formatted(config));
    assertTrue(said.contains(absent), said);
    assertEquals(
        absent,
        assertThrows(
                UserException.class,
                () -> CommandsTest.run("roll:sft '%s' sft.train_files=no.jsonl".formatted(config)))
            .getMessage());
  }

  @Test
  void whatCannotBeLearnedIsNamed() throws Exception {
    Path rows = Files.writeString(folder.resolve("wrong.jsonl"), "{}\n");
    UserException refusal =
        assertThrows(UserException.class, () -> sft("wrong", "sft={train_files: " + rows + "}"));
    assertTrue(
        refusal.getMessage().startsWith(rows + ":1: no demonstration"), refusal.getMessage());
  }
}
