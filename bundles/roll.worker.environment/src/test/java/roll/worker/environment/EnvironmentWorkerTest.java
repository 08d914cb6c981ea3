package roll.worker.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.EnvConfig;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.strategy.Generator;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.RolloutListener;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;
import roll.runtime.pipeline.RolloutStream;
import roll.runtime.pipeline.Rollouts;
import roll.runtime.worker.Task;
import roll.runtime.worker.Worker;
import roll.testkit.CharacterTokenizer;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.TestWorkerContext;
import roll.testkit.UnigramModel;

@NullMarked
class EnvironmentWorkerTest {
  private RunConfig run = ExampleRunConfigs.small(Path.of("model"), 1);
  private final Generator policy = new UnigramModel(4, 1, 1);
  private final Asked rollouts = new Asked();

  /** Keeps what it was asked for; the real service is another bundle. */
  private static final class Asked implements Rollouts {
    final List<EnvManagerConfig> checked = new ArrayList<>();
    final List<RolloutRequest> played = new ArrayList<>();
    final List<String> streams = new ArrayList<>();
    boolean refuses;
    Set<String> sick = Set.of();

    @Override
    public void check(
        EnvManagerConfig envs,
        Map<String, EnvConfig> customEnvs,
        String template,
        Tokenizer tokenizer,
        int sequenceLength,
        Map<String, Object> chatTemplateKwargs) {
      checked.add(envs);
      if (refuses) {
        throw new UserException("tags: 'Game' is not in custom_envs");
      }
    }

    @Override
    public CompletableFuture<RolloutResult> play(RolloutRequest request, RolloutListener listener) {
      played.add(request);
      return CompletableFuture.completedFuture(
          new RolloutResult(
              List.of(), Map.of("env/response_length", 2.0), Map.of(), List.of(), sick));
    }

    @Override
    public RolloutStream stream(RolloutRequest request, double ahead, int steps) {
      streams.add(request.firstEpisode() + ": " + ahead + " ahead of " + steps);
      return new RolloutStream() {
        @Override
        public CompletableFuture<RolloutResult> next(List<Integer> groupsByTag) {
          return play(groupsByTag.isEmpty() ? request : request.withGroups(groupsByTag));
        }

        @Override
        public void close() {
          streams.add("closed");
        }
      };
    }
  }

  private Worker open() {
    var stage =
        new TestWorkerContext(run, run.roles().actorInfer())
            .withRollouts(rollouts, new CharacterTokenizer(), policy);
    return new EnvironmentWorker().open(stage).join();
  }

  @Test
  void bothKindsOfEnvironmentsAreCheckedWhenItOpens() {
    open().close();
    assertEquals(List.of(run.rollout().trainEnvs(), run.rollout().valEnvs()), rollouts.checked);
    rollouts.refuses = true;
    assertThrows(UserException.class, this::open);
  }

  @Test
  void trainingGoesOnWithNewEpisodesAndValidationStaysWhereItIs() {
    Worker worker = open();
    worker.perform(new Task.Play("train", 0, 0)).join();
    worker.perform(new Task.Play("train", 2, 0)).join();
    var result = worker.perform(new Task.Play("val", 2, 3)).join();
    assertEquals(
        List.of("train 0 12 0", "train 2 12 0", "val 0 5 3"),
        rollouts.played.stream()
            .map(
                asked ->
                    asked.purpose()
                        + " "
                        + asked.firstEpisode()
                        + " "
                        + asked.trajectories()
                        + " "
                        + asked.drawn())
            .toList());
    RolloutRequest asked = rollouts.played.getLast();
    assertSame(policy, asked.policy().generator());
    assertSame(run.rollout().valEnvs(), asked.envs().manager());
    assertEquals(run.seed(), asked.seed());
    assertEquals("qwen2_5", asked.policy().template());
    assertEquals(64, asked.policy().sequenceLength());
    assertEquals(Map.of("env/response_length", 2.0), result.metrics());
  }

  /** A resumed run continues without the tags that were given up, as they were at the snapshot. */
  @Test
  void tagsInQuarantineAreRemembered(@TempDir Path folder) {
    Worker worker = open();
    rollouts.sick = Set.of("Game");
    worker.perform(new Task.Play("train", 0, 0)).join();
    worker.perform(new Task.Snapshot()).join();
    rollouts.sick = Set.of("Other");
    worker.perform(new Task.Play("train", 1, 0)).join();
    worker.perform(new Task.Save(folder.resolve("two"))).join();
    worker.perform(new Task.Save(folder.resolve("three"))).join();

    assertEquals(Set.of("Game"), excludedAfter(folder.resolve("two")));
    assertEquals(Set.of("Game", "Other"), excludedAfter(folder.resolve("three")));
    assertEquals(Set.of(), excludedAfter(folder.resolve("none")));
  }

  private Set<String> excludedAfter(Path saved) {
    Worker resumed = open();
    resumed.perform(new Task.Restore(saved)).join();
    resumed.perform(new Task.Play("train", 2, 0)).join();
    return rollouts.played.getLast().envs().excluded();
  }

  @Test
  void asynchronousTrainingHasOneStreamThatBeginsWithItsFirstStep() {
    run = ExampleRunConfigs.asynchronous(Path.of("model"), 0.5);
    Worker worker = open();
    worker.perform(new Task.Play("train", 1, 0)).join();
    worker.perform(new Task.Play("val", 1, 0)).join();
    worker.perform(new Task.Play("train", 2, 0)).join();
    worker.close();
    assertEquals(List.of("1: 0.5 ahead of 2", "closed"), rollouts.streams);
    assertEquals(
        List.of("train", "val", "train"),
        rollouts.played.stream().map(RolloutRequest::purpose).toList());
  }

  @Test
  void theGreedyPolicyPlaysEveryLevelOfTrainingOnce() {
    open().perform(new Task.Play("greedy", 2, 0)).join();
    RolloutRequest asked = rollouts.played.getLast();
    assertEquals("train", asked.purpose(), "the same levels");
    assertEquals(2, asked.firstEpisode());
    assertEquals(4, asked.trajectories());
    assertEquals(1, asked.envs().manager().groupSize());
    assertEquals(0, asked.envs().manager().sampling().temperature());
  }

  @Test
  void itOnlyPlays() {
    Worker worker = open();
    var refused =
        assertThrows(
            CompletionException.class, () -> worker.perform(new Task.ShareWeights()).join());
    assertTrue(refused.toString().contains("environment has no part in ShareWeights"));
  }
}
