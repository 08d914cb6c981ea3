package roll.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.pipeline.TrainingRun;

/** A run on recorded rollouts equals the recorded run, without environments. */
@Tag("framework")
@Timeout(240)
class RolloutMockTest {
  private final Path folder;

  RolloutMockTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void aRunOnRolloutsThatWereWrittenIsTheRunThatWroteThem() throws Exception {
    Path plain = train("plain");
    Path dumping = train("dumping", mock("dump"));
    RunAssertions.assertSameRun(plain, dumping);
    Path first = folder.resolve("rollouts/train/step_000000.jsonl");
    byte[] before = Files.readAllBytes(first);

    // there is no such environment
    Path mocked = train("mocked", mock("mock"), "custom_envs.FrozenLake.env_type=gone");
    RunAssertions.assertSameRun(plain, mocked);
    assertTrue(
        Files.readString(mocked.resolve("run.log"))
            .contains("rollout_mock: rollouts are read from " + folder.resolve("rollouts")));
    assertArrayEquals(before, Files.readAllBytes(first), "reading writes nothing");

    List<String> lines = new ArrayList<>(Files.readAllLines(first));
    lines.set(3, lines.get(3).substring(0, 500));
    Files.write(first, lines);
    assertEquals(
        "rollout_mock.dump_dir: " + first + ":4: the line is broken, or no JSON object",
        mistake("broken", mock("mock")));
    assertEquals(
        "rollout_mock.dump_dir: "
            + folder.resolve("rollouts/val/step_000000.jsonl")
            + ":1: the rollout was dumped with seed 42, this run has 43",
        mistake("other", mock("mock"), "seed=43"));
    assertEquals(
        "rollout_mock.dump_dir: no file "
            + folder.resolve("rollouts/train/step_000004.jsonl")
            + " (train holds 4 rollouts): dump with the max_steps and eval_steps of this run, or"
            + " lower them",
        mistake("longer", mock("mock"), "max_steps=5", "eval_steps=4"));
    assertTrue(mistake("again", mock("dump")).contains(" is there already: name another"));
  }

  /** Greedy episodes for an estimator are recorded and read too. */
  @Test
  void greedyEpisodesAreRolloutsToo() throws Exception {
    String[] remax = {"adv_estimator=remax", "reward_normalization.method=identity"};
    Path dumping = train("dumping", join(remax, mock("dump")));
    assertTrue(Files.exists(folder.resolve("rollouts/greedy/step_000003.jsonl")));
    RunAssertions.assertSameRun(dumping, train("mocked", join(remax, mock("mock"))));
  }

  /** Single turns are recorded and read as separate samples and prompts. */
  @Test
  void turnsThatAreSamplesAreReadAsSuch() throws Exception {
    String[] steps = {
      "adv_estimator=gigpo",
      "custom_envs.FrozenLake.env_manager_cls=step",
      "custom_envs.FrozenLake.agent_template='{current_observation}'"
    };
    Path dumping = train("dumping", join(steps, mock("dump")));
    RunAssertions.assertSameRun(dumping, train("mocked", join(steps, mock("mock"))));
  }

  private static String[] join(String[] some, String more) {
    List<String> all = new ArrayList<>(List.of(some));
    all.add(more);
    return all.toArray(String[]::new);
  }

  private String mock(String mode) {
    return "rollout_mock={enable: true, mode: "
        + mode
        + ", dump_dir: "
        + folder.resolve("rollouts")
        + "}";
  }

  private String mistake(String name, String... overrides) {
    Throwable failure =
        assertThrows(Exception.class, () -> train(name, overrides), "expected a mistake");
    Throwable cause = failure instanceof ExecutionException e ? e.getCause() : failure;
    return cause instanceof UserException mistake
        ? mistake.getMessage()
        : fail("not a mistake of the user's", failure);
  }

  private Path train(String name, String... more) throws Exception {
    List<String> overrides =
        SmallRuns.overrides(
            more,
            "exp_name=" + name,
            "max_steps=4",
            "save_steps=2",
            // an unused engine reports no metrics to compare
            "actor_infer.strategy_args.strategy_name=hf_infer");
    TrainingRun run = SmallRuns.start("frozen_lake.yaml", folder, overrides);
    run.outcome().get();
    return run.folder();
  }
}
