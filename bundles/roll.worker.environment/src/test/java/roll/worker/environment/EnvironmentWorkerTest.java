package roll.worker.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.EnvConfig;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.strategy.Generator;
import roll.api.strategy.Snapshot;
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
    public RolloutStream stream(
        RolloutRequest request, double ahead, int steps, @Nullable Path resumed) {
      String from = resumed == null ? "" : " from " + resumed.getFileName();
      streams.add(request.firstEpisode() + ": " + ahead + " ahead of " + steps + from);
      return new RolloutStream() {
        @Override
        public CompletableFuture<RolloutResult> next(List<Integer> groupsByTag) {
          return play(groupsByTag.isEmpty() ? request : request.withGroups(groupsByTag));
        }

        @Override
        public CompletableFuture<Snapshot> snapshot() {
          return CompletableFuture.completedFuture(new Marked());
        }

        @Override
        public void close() {
          streams.add("closed");
        }
      };
    }
  }

  /** Groups of a stream, saved as an empty file. */
  private record Marked() implements Snapshot {
    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void write(Path folder) throws IOException {
      Files.createDirectories(folder);
      Files.write(folder.resolve(RolloutStream.UNFINISHED), new byte[0]);
    }

    @Override
    public void close() {}
  }

  private TestWorkerContext stage() {
    return new TestWorkerContext(run, run.roles().actorInfer())
        .withRollouts(rollouts, new CharacterTokenizer(), policy);
  }

  private Worker open() {
    return new EnvironmentWorker().open(stage()).join();
  }

  @Test
  void unfinishedGroupsAreSavedAndContinued(@TempDir Path folder) {
    run = ExampleRunConfigs.asynchronous(Path.of("model"), 1);
    Path first = folder.resolve("first");
    try (Worker worker = open()) {
      worker.perform(new Task.Play("train", 0, 0)).join();
      worker.perform(new Task.Save(first)).join();
    }
    Path second = folder.resolve("second");
    try (Worker worker = open()) {
      worker.perform(new Task.Restore(first)).join();
      worker.perform(new Task.Save(second)).join();
      worker.perform(new Task.Play("train", 1, 0)).join();
      worker.perform(new Task.Snapshot()).join();
      worker.perform(new Task.Save(folder.resolve("third"))).join();
    }
    assertTrue(Files.exists(second.resolve(RolloutStream.UNFINISHED)), "before the first step");
    assertTrue(Files.exists(folder.resolve("third").resolve(RolloutStream.UNFINISHED)));
    assertTrue(rollouts.streams.get(2).endsWith(" from first"), rollouts.streams.toString());
  }

  @Test
  void aCheckpointWithoutUnfinishedGroupsIsContinuedWithANotice(@TempDir Path folder)
      throws IOException {
    TestWorkerContext synchronous = stage();
    run = ExampleRunConfigs.asynchronous(Path.of("model"), 1);
    TestWorkerContext ahead = stage();
    new EnvironmentWorker().open(ahead).join().perform(new Task.Restore(folder)).join();
    assertEquals(
        List.of("the checkpoint has no unfinished groups: all groups of the step are played anew"),
        ahead.notices());
    Worker worker = new EnvironmentWorker().open(synchronous).join();
    worker.perform(new Task.Restore(folder)).join();
    assertEquals(List.of(), synchronous.notices());
    new Marked().write(folder);
    worker.perform(new Task.Restore(folder)).join();
    assertEquals(
        List.of(
            "the unfinished groups of the checkpoint are not trained: async_generation_ratio is 0"),
        synchronous.notices());
    worker.perform(new Task.Save(folder.resolve("next"))).join();
    assertFalse(Files.exists(folder.resolve("next").resolve(RolloutStream.UNFINISHED)));
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
