package roll.itests;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;

/** Asynchronous training: rollouts run ahead while the policy is trained. */
@Tag("framework")
@Timeout(240)
class AsyncTest {
  private static final int STEPS = 6;

  private final Path folder;

  AsyncTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void trainsOnWhatOlderWeightsPlayedWithinTheBound() throws Exception {
    TrainingRun run =
        SmallRuns.start(
            "frozen_lake.yaml",
            folder,
            List.of("exp_name=async", "async_generation_ratio=0.5", "max_steps=" + STEPS));
    assertTrue(
        run.notices().stream().anyMatch(line -> line.startsWith("async_generation_ratio: ")),
        "the log names what is dropped");
    assertEquals(STEPS, run.outcome().get().steps());
    double stale = 0;
    List<String> lines = Files.readAllLines(run.folder().resolve("metrics.jsonl"));
    for (String line : lines.subList(0, STEPS)) {
      JsonObject step = JsonParser.parseString(line).getAsJsonObject();
      JsonObject metrics = step.getAsJsonObject("metrics");
      assertTrue(metrics.get("async/staleness/max").getAsDouble() <= 1);
      double sum =
          metrics.get("async/staleness/0").getAsDouble()
              + metrics.get("async/staleness/1").getAsDouble();
      assertEquals(1, sum, 1e-12);
      stale += metrics.get("async/staleness/1").getAsDouble();
      boolean last = step.get("step").getAsInt() == STEPS - 1;
      assertEquals(last ? 0 : 2, metrics.get("scheduler/groups_ahead").getAsDouble());
      assertTrue(metrics.has("actor/pg_loss"), "it is trained on");
    }
    assertTrue(stale > 0, "nothing was played ahead");
  }

  @Test
  void aResumedRunTrainsEachGroupOnce() throws Exception {
    List<String> planned = episodes(train("planned", 0, "false").folder());
    assertEquals(STEPS * 32, planned.stream().distinct().count());
    Path run = train("ahead", 1.5, "false").folder();
    assertEquals(planned, episodes(run));
    for (String from : List.of("checkpoint-3", "checkpoint-2")) {
      TrainingRun ended = train("ahead", 1.5, run.resolve(from).toString());
      assertEquals(planned, episodes(run), from);
      List<String> notices =
          ended.notices().stream().filter(line -> line.contains("unfinished")).toList();
      assertEquals(List.of(), notices, from);
    }
  }

  private TrainingRun train(String name, double ahead, String resumed) throws Exception {
    List<String> overrides =
        List.of(
            "exp_name=" + name,
            "max_steps=" + STEPS,
            "save_steps=1",
            "logging_steps=1",
            "async_generation_ratio=" + ahead,
            "resume_from_checkpoint=" + resumed);
    TrainingRun run = SmallRuns.start("frozen_lake.yaml", folder, overrides);
    assertEquals(STEPS, run.outcome().get().steps());
    return run;
  }

  private static List<String> episodes(Path run) throws IOException {
    List<String> ids = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      Path file = run.resolve("trajectories/step-" + step + ".jsonl");
      for (String line : Files.readAllLines(file)) {
        ids.add(JsonParser.parseString(line).getAsJsonObject().get("id").getAsString());
      }
    }
    return ids.stream().sorted().toList();
  }

  @Test
  void isRefusedWhereTheLevelsOfAStepAreNeededAgain() {
    LoadedConfig config =
        SmallRuns.load(
            "frozen_lake.yaml",
            folder,
            List.of(
                "async_generation_ratio=1",
                "adv_estimator=remax",
                "reward_normalization.method=identity"));
    var refused =
        assertThrows(UserException.class, () -> SmallRuns.service(Trainer.class).check(config));
    assertEquals(
        "async_generation_ratio: must be 0 for adv_estimator 'remax', which has the levels of a"
            + " step played again by the greedy policy",
        refused.getMessage());
  }
}
