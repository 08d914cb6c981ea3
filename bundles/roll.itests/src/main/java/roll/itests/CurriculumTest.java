package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;

/** A curriculum changes the mix of a run's levels between steps, and can be replaced. */
@Tag("framework")
@Timeout(240)
class CurriculumTest {
  private static final List<String> LEVELS =
      List.of(
          "custom_envs.Easy={env_type: frozen_lake, max_steps: 5, max_tokens_per_step: 1}",
          "custom_envs.Hard={env_type: frozen_lake, max_steps: 5, max_tokens_per_step: 1}",
          "train_env_manager.tags=[Easy, Hard]",
          "logging_steps=1",
          "max_steps=4",
          "save_steps=2");

  /**
   * Options of a curriculum that moves half of the way in every step, since no score is below -100.
   */
  private static final String MOVES =
      "curriculum={type: success, measure: score, threshold: -100, episodes: 1, rise: 0.5,"
          + " floor: 0.25}";

  private final Path folder;

  CurriculumTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /**
   * Shares 1, 0; 0.625, 0.375; 0.25, 0.75 of 4 groups: 2.5 and 1.5 are 3 and 1, which leaves half a
   * group owed to the second; 1 − 0.5 and 3 + 0.5 are 1 and 3, as the first of equals goes first.
   */
  @Test
  void mixesTheGroupsOfEachStepAndResumes() throws Exception {
    Path whole = train("whole", MOVES).folder();
    assertEquals(
        List.of(Map.of("Easy", 4L), groups(3, 1), groups(1, 3), groups(1, 3)), played(whole));
    assertEquals(
        List.of("0.0", "0.375", "0.75", "0.75"),
        RunAssertions.metrics(whole).values().stream()
            .limit(4)
            .map(step -> step.get("curriculum/Hard/share"))
            .toList());
    Path cut = folder.resolve("cut");
    train("cut", MOVES, "max_steps=2");
    TrainingRun resumed = train("cut", MOVES, "resume_from_checkpoint=true");
    RunAssertions.assertSameRun(whole, resumed.folder());
    assertEquals(played(whole), played(cut));
  }

  @Test
  void worksWhileRolloutsRunAhead() throws Exception {
    Path run = train("ahead", MOVES, "async_generation_ratio=1").folder();
    List<Map<String, Long>> played = played(run);
    assertEquals(Map.of("Easy", 4L), played.getFirst());
    assertTrue(played.get(3).getOrDefault("Hard", 0L) > 0, played + "");
  }

  @Test
  void isWaitedForAndReplacedBetweenSteps() throws Exception {
    try (BundleVersions curriculum = BundleVersions.of("roll.curriculum.success")) {
      TrainingRun run = start("swapped", MOVES, "max_steps=100000");
      Waits.await(run, status -> status.step() > 3);
      assertTrue(run.status().served().contains(curriculum.name()), run.status()::served);
      curriculum.stop();
      String waiting = Waits.await(run, status -> status.state() == State.WAITING).waiting();
      assertTrue(String.valueOf(waiting).startsWith("no service roll.curriculum=success"), waiting);
      int waited = run.status().step();
      curriculum.update();
      curriculum.start();
      Waits.await(run, status -> status.step() > waited + 1);
      assertTrue(
          run.status().served().contains("roll.curriculum.success 1.0.2"), run.status()::served);
      run.stop();
      assertTrue(run.outcome().get().interrupted());
      assertEquals(
          "0.75",
          Objects.requireNonNull(RunAssertions.metrics(run.folder()).get(waited))
              .get("curriculum/Hard/share"),
          "the new version continues from the old one");
    }
  }

  @Test
  void isCheckedBeforeTheRun() {
    assertRefused(
        "curriculum.type: expected the name of a curriculum, found none", "curriculum.floor=0.1");
    assertRefused(
        "curriculum: unknown key 'flor' (allowed: threshold, measure, episodes, rise, floor);"
            + " did you mean 'floor'?",
        "curriculum={type: success, flor: 0.1}");
    assertRefused("no roll.curriculum 'sucess' is registered", "curriculum.type=sucess");
    assertRefused(
        "plugins.curriculum: expected a kind of your own, found a stock one",
        "plugins.curriculum=success");
  }

  private void assertRefused(String line, String override) {
    UserException refused =
        assertThrows(
            UserException.class,
            () ->
                SmallRuns.service(Trainer.class)
                    .check(SmallRuns.load("frozen_lake.yaml", folder, more("refused", override))));
    assertTrue(String.valueOf(refused.getMessage()).contains(line), refused.getMessage());
  }

  private static Map<String, Long> groups(long easy, long hard) {
    return Map.of("Easy", easy, "Hard", hard);
  }

  /** Returns the number of groups of eight in each step by tag. */
  private static List<Map<String, Long>> played(Path run) throws IOException {
    List<Map<String, Long>> steps = new ArrayList<>();
    for (int step = 0; step < 4; step++) {
      Map<String, Long> tags = new TreeMap<>();
      for (String line : Files.readAllLines(run.resolve("trajectories/step-" + step + ".jsonl"))) {
        String tag = JsonParser.parseString(line).getAsJsonObject().get("tag").getAsString();
        tags.merge(tag, 1L, Long::sum);
      }
      tags.replaceAll((tag, episodes) -> episodes / 8);
      steps.add(Map.copyOf(tags));
    }
    return steps;
  }

  private TrainingRun train(String name, String... overrides) throws Exception {
    TrainingRun run = start(name, overrides);
    run.outcome().get();
    return run;
  }

  private TrainingRun start(String name, String... overrides) {
    return SmallRuns.start("frozen_lake.yaml", folder, more(name, overrides));
  }

  private static List<String> more(String name, String... overrides) {
    List<String> more = new ArrayList<>(LEVELS);
    more.add("exp_name=" + name);
    more.addAll(List.of(overrides));
    return more;
  }
}
