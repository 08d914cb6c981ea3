package roll.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.memory.SessionActivity;
import roll.api.strategy.Sampling;
import roll.runtime.config.RunConfig;
import roll.testkit.ExampleRunConfigs;

class PhaseRolesTest {
  private static final Path HERE = Path.of("here");

  @Test
  void rolesTakeTurns() {
    RunConfig run = ExampleRunConfigs.small(HERE, 1);
    List<PhaseRoles> phases = PhaseRoles.of(run);
    assertEquals(
        List.of(
            "rollout",
            "ref_log_probs_values_reward",
            "old_log_probs_values/critic",
            "old_log_probs_values/actor_train",
            "train/critic",
            "train/actor_train"),
        phases.stream().map(PhaseRoles::phase).toList());
    assertEquals(SessionActivity.GENERATE, phases.get(0).of("actor_infer", run));
    assertEquals(SessionActivity.REST, phases.get(0).of("actor_train", run));
    assertEquals(SessionActivity.SCORE, phases.get(1).of("reference", run));
    assertEquals(SessionActivity.REST, phases.get(4).of("actor_train", run));
    assertEquals(SessionActivity.TRAIN, phases.get(5).of("actor_train", run));
    assertEquals(SessionActivity.REST, phases.get(5).of("actor_infer", run));
  }

  @Test
  void modelsThatRewardsAskWorkWhileEpisodesArePlayed() {
    RunConfig run = ExampleRunConfigs.small(HERE, 1);
    run = ExampleRunConfigs.withRewardModel(run, "judge", Sampling.of(4));
    run = ExampleRunConfigs.withRewardModel(run, "rm", null);
    List<PhaseRoles> phases = PhaseRoles.of(run);
    assertEquals(SessionActivity.GENERATE, phases.get(0).of("reward_models.judge", run));
    assertEquals(SessionActivity.SCORE, phases.get(0).of("reward_models.rm", run));
    assertEquals(SessionActivity.REST, phases.get(1).of("reward_models.rm", run));
    assertTrue(run.roles().valued("reward_models.rm"));
    assertFalse(run.roles().valued("reward_models.judge"));
  }

  @Test
  void teachersTakeTurnsWithTheReference() {
    RunConfig run = ExampleRunConfigs.small(HERE, 1);
    run = ExampleRunConfigs.withTeacher(run, "math", "Sums");
    run = ExampleRunConfigs.withTeacher(run, "code", "Programs");
    List<PhaseRoles> phases = PhaseRoles.of(run);
    assertEquals(
        List.of("reference", "teachers.math", "teachers.code"),
        phases.subList(1, 4).stream()
            .map(phase -> phase.phase().replace("ref_log_probs_values_reward/", ""))
            .toList());
    assertEquals(SessionActivity.SCORE, phases.get(2).of("teachers.math", run));
    assertEquals(SessionActivity.REST, phases.get(2).of("teachers.code", run));
    assertEquals(SessionActivity.REST, phases.get(2).of("reference", run));
  }

  @Test
  void whoSamplesAheadNeverRests() {
    RunConfig run = ExampleRunConfigs.asynchronous(HERE, 1);
    PhaseRoles last = PhaseRoles.of(run).getLast();
    assertEquals(SessionActivity.GENERATE, last.of("actor_infer", run));
    assertEquals(SessionActivity.REST, last.of("reference", run));
  }
}
