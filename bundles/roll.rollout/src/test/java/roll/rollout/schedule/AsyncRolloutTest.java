package roll.rollout.schedule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.data.Message;
import roll.api.data.Message.InlinePicture;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.api.strategy.Generation;
import roll.api.strategy.Generator;
import roll.api.strategy.Snapshot;
import roll.rollout.CountingGame;
import roll.rollout.FaultyGame;
import roll.rollout.Games;
import roll.rollout.RolloutService;
import roll.rollout.TablePolicy;
import roll.rollout.chat.NamedChatFormats;
import roll.rollout.manager.TrajectoryEnvManager;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;
import roll.runtime.pipeline.RolloutStream;
import roll.template.FolderChatTemplates;
import roll.testkit.InMemoryPluginRegistry;

@NullMarked
@Timeout(60)
class AsyncRolloutTest {
  private final CountingGame counting = new CountingGame();
  private final FaultyGame trouble = new FaultyGame();
  private final RolloutService service =
      new RolloutService(
          new NamedChatFormats(new FolderChatTemplates()),
          new InMemoryPluginRegistry()
              .with("roll.env", "counting", counting)
              .with("roll.env", "trouble", trouble)
              .with("roll.env.manager", "trajectory", new TrajectoryEnvManager()));

  @AfterEach
  void release() {
    trouble.released = true;
  }

  /** Four groups of three a step. */
  private static RolloutRequest request(Generator policy) {
    return Games.request(
        "train",
        12,
        Games.envs(List.of("A"), List.of(4), 3),
        policy,
        Games.game("A", Map.of("target", 50)));
  }

  private static double metric(RolloutResult result, String name) {
    return result.metrics().getOrDefault(name, Double.NaN);
  }

  private static Set<Long> seeds(List<RolloutResult> results) {
    Set<Long> seeds = new TreeSet<>();
    results.forEach(result -> result.trajectories().forEach(t -> seeds.add(t.key().seed())));
    return seeds;
  }

  @Test
  void aPartOfAStepMayBePlayedAheadButNothingAfterTheLast() {
    List<RolloutResult> ahead = new ArrayList<>();
    try (RolloutStream stream = service.stream(request(new TablePolicy(0.5)), 1.5, 3)) {
      for (int step = 0; step < 3; step++) {
        ahead.add(stream.next().join());
      }
    }
    assertEquals(
        List.of(6.0, 4.0, 0.0),
        ahead.stream().map(result -> metric(result, "scheduler/groups_ahead")).toList());
    List<RolloutResult> inTime = new ArrayList<>();
    for (int step = 0; step < 3; step++) {
      RolloutRequest later = request(new TablePolicy(0.5)).later(step, Set.of());
      inTime.add(service.play(later).join());
    }
    assertEquals(seeds(inTime), seeds(ahead), "the levels of synchronous training");
    for (RolloutResult result : ahead) {
      assertEquals(12, result.trajectories().size());
      for (int group = 0; group < 4; group++) {
        List<Trajectory> members = result.trajectories().subList(3 * group, 3 * group + 3);
        assertEquals(1, members.stream().map(Trajectory::groupId).distinct().count());
      }
    }
  }

  @Test
  void everyGroupIsTrainedOnceThoughTheStreamIsResumedAfterEachStep(@TempDir Path folder)
      throws IOException {
    int steps = 8;
    List<String> whole = new ArrayList<>();
    List<String> resumed = new ArrayList<>();
    Path from = null;
    for (int step = 0; step < steps; step++) {
      RolloutRequest later = request(new TablePolicy(0.5)).later(step, Set.of());
      service.play(later).join().trajectories().forEach(t -> whole.add(t.id()));
      Path to = folder.resolve("step-" + step);
      try (RolloutStream stream = service.stream(later, 1.5, steps - step, from)) {
        if (from != null) {
          stream.snapshot().join().write(folder);
          assertArrayEquals(
              saved(from), saved(folder), "an untouched stream saves what it was given");
        }
        stream.next().join().trajectories().forEach(t -> resumed.add(t.id()));
        CompletableFuture<Snapshot> now = stream.snapshot();
        var unused = stream.next(); // the snapshot is of the time before
        now.join().write(to);
        assertEquals(List.of(), stream.notices());
      }
      from = to;
    }
    assertEquals(whole.stream().sorted().toList(), resumed.stream().sorted().toList());
  }

  @Test
  void theGroupsOfARepeatedStepArePlayedAgain(@TempDir Path folder) throws IOException {
    RolloutRequest second = request(new TablePolicy(0.5)).later(1, Set.of());
    List<String> failed;
    List<String> trained = new ArrayList<>();
    try (RolloutStream stream = service.stream(request(new TablePolicy(0.5)), 1.5, 4)) {
      trained.addAll(ids(stream.next().join()));
      failed = ids(stream.next().join());
      stream.snapshot().join().write(folder);
    }
    try (RolloutStream stream = service.stream(second, 1.5, 3, folder)) {
      List<String> again = new ArrayList<>();
      for (int step = 1; step < 4; step++) {
        again.addAll(ids(stream.next().join()));
      }
      assertTrue(again.containsAll(failed), () -> failed + " are not in " + again);
      trained.addAll(again);
    }
    assertEquals(48, trained.size());
    assertEquals(48, Set.copyOf(trained).size());
    RolloutRequest fourth = second.later(2, Set.of());
    try (RolloutStream stream = service.stream(fourth, 1.5, 1, folder)) {
      assertEquals(
          List.of(
              "the unfinished groups of the checkpoint are not trained: the next step begins with"
                  + " episode 2, the run's with 3"),
          stream.notices());
    }
  }

  private static List<String> ids(RolloutResult result) {
    return result.trajectories().stream().map(Trajectory::id).toList();
  }

  private static byte[] saved(Path folder) throws IOException {
    return Files.readAllBytes(folder.resolve(RolloutStream.UNFINISHED));
  }

  @Test
  void finishedMembersComeBackToTheBit(@TempDir Path folder) throws IOException {
    RolloutRequest request = request(new TablePolicy(0.5));
    List<Trajectory> played = new ArrayList<>();
    UnfinishedGroups complete;
    try (RolloutStream stream = service.stream(request, 1, 2)) {
      Trajectory first = stream.next().join().trajectories().getFirst();
      Picture picture = Picture.of(new byte[] {1, 2, 3});
      Sequence sequence =
          new Sequence(
              new int[] {1, 2},
              new int[] {-1, 0},
              new double[] {-0.0, Math.nextUp(-1.1)},
              new long[] {-1, 7},
              List.of(picture));
      played.add(
          new Trajectory(
              first.key(),
              List.of(sequence),
              new double[] {0.1 + 0.2},
              new long[] {Long.MIN_VALUE},
              List.of(new Message("tool", "ü", "t", List.of(new InlinePicture(1, picture)))),
              Map.of("nan", Double.NaN),
              "terminated",
              "e",
              Map.of("long", 3L, "double", 3.0, "list", List.of("a", true)),
              null,
              false,
              List.of(0)));
      complete =
          new UnfinishedGroups(
              UnfinishedGroups.Shape.of(request),
              new UnfinishedGroups.Position(1, 1, Long.MAX_VALUE),
              List.of(new UnfinishedGroups.Entry("A", 0, 0, 0, 0, 0, false, true, played)),
              List.of(new UnfinishedGroups.Entry("A", 1, 0, 2, 1, -1, true, false, List.of())));
    }
    complete.write(folder);
    UnfinishedGroups read = UnfinishedGroupsFile.read(folder);
    assertEquals(complete.shape(), read.shape());
    assertEquals(complete.position(), read.position());
    assertEquals(complete.taken(), read.taken());
    Trajectory back = read.groups().getFirst().played().getFirst();
    Trajectory sent = played.getFirst();
    assertArrayEquals(
        sent.sequences().getFirst().logProbs(), back.sequences().getFirst().logProbs());
    assertArrayEquals(
        sent.sequences().getFirst().versions(), back.sequences().getFirst().versions());
    assertArrayEquals(sent.sequences().getFirst().turns(), back.sequences().getFirst().turns());
    assertEquals(sent.sequences().getFirst().pictures(), back.sequences().getFirst().pictures());
    assertArrayEquals(sent.rewards(), back.rewards());
    assertArrayEquals(sent.states(), back.states());
    assertEquals(sent.messages(), back.messages());
    assertEquals(sent.metrics(), back.metrics());
    assertEquals(sent.facts(), back.facts());
    assertEquals(sent.answer(), back.answer());
    assertEquals(sent.key(), back.key());
  }

  @Test
  void groupsOfAnotherShapeAreNotContinuedAndADamagedFileIsRefused(@TempDir Path folder)
      throws IOException {
    RolloutRequest request = request(new TablePolicy(0.5));
    try (RolloutStream stream = service.stream(request, 1, 3)) {
      stream.next().join();
      stream.snapshot().join().write(folder);
    }
    RolloutRequest other =
        Games.request(
            "train",
            8,
            Games.envs(List.of("A"), List.of(4), 2),
            new TablePolicy(0.5),
            Games.game("A", Map.of("target", 50)));
    try (RolloutStream stream = service.stream(other, 1, 3, folder)) {
      assertEquals(
          List.of(
              "the unfinished groups of the checkpoint are not trained: a step had 12 trajectories"
                  + " from 4 groups of 3, now it has 8 trajectories from 4 groups of 2"),
          stream.notices());
      assertEquals(8, stream.next().join().trajectories().size());
    }
    Path file = folder.resolve(RolloutStream.UNFINISHED);
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    String refused =
        assertThrows(UserException.class, () -> service.stream(request, 1, 3, folder)).getMessage();
    assertTrue(refused.startsWith("resume_from_checkpoint: " + file + " is damaged: "), refused);
    assertEquals(1, refused.lines().count());
  }

  @Test
  void everyTokenKeepsTheVersionThatWroteIt() {
    AtomicLong version = new AtomicLong();
    TablePolicy table = new TablePolicy(0.5);
    Generator policy =
        requests -> {
          long now = version.getAndIncrement();
          return table
              .generate(requests)
              .thenApply(all -> all.stream().map(g -> writtenBy(now, g)).toList());
        };
    try (RolloutStream stream = service.stream(request(policy), 1, 2)) {
      stream.next().join();
      for (Trajectory played : stream.next().join().trajectories()) {
        long before = -1;
        for (var sequence : played.sequences()) {
          for (int t = 0; t < sequence.tokens().length; t++) {
            assertEquals(sequence.turns()[t] < 0, sequence.versions()[t] < 0);
            if (sequence.turns()[t] > 0 && sequence.turns()[t - 1] < 0) {
              assertTrue(sequence.versions()[t] > before, "each turn is of a later call");
            }
            before = Math.max(before, sequence.versions()[t]);
          }
        }
      }
    }
  }

  private static Generation writtenBy(long version, Generation by) {
    return new Generation(by.tokens(), by.logProbs(), by.samplingLogProbs(), by.stopped(), version);
  }

  @Test
  void whoIsSlowHoldsNobodyUpAndIsPlayedAnewWhenTooOld() {
    EnvConfig slow =
        new EnvConfig(
            "T",
            "trouble",
            "trajectory",
            EnvLimits.steps(5),
            PromptConfig.of("{observation}"),
            Map.of("trouble", "sleep", "sick", 2));
    RolloutRequest request =
        Games.request(
            "train",
            12,
            Games.envs(List.of("T"), List.of(4), 3),
            new TablePolicy(0.5),
            new EnvMonitorConfig(0, 1, 3),
            slow);
    double expired = 0;
    try (RolloutStream stream = service.stream(request, 1, 100)) {
      for (int step = 0; step < 6; step++) {
        RolloutResult result = stream.next().join();
        assertEquals(12, result.trajectories().size());
        expired += metric(result, "scheduler/expired_groups");
      }
      trouble.released = true;
    }
    assertTrue(expired > 0, "sick groups expire");
    while (trouble.open.get() > 0) { // what expired is closed once it wakes up
      Thread.onSpinWait();
    }
  }

  @Test
  void aPolicyThatFailsEndsTheStream() {
    Generator broken = requests -> CompletableFuture.failedFuture(new UserException("no room"));
    try (RolloutStream stream = service.stream(request(broken), 1, 2)) {
      for (int step = 0; step < 2; step++) {
        var failure = assertThrows(CompletionException.class, () -> stream.next().join());
        assertEquals(
            "no room", assertInstanceOf(UserException.class, failure.getCause()).getMessage());
      }
    }
    assertEquals(0, counting.open.get());
  }

  @Test
  void closingFailsWhatSomebodyWaitsFor() {
    Generator silent = requests -> new CompletableFuture<>();
    RolloutStream stream = service.stream(request(silent), 0.5, 2);
    CompletableFuture<RolloutResult> step = stream.next();
    stream.close();
    assertThrows(CancellationException.class, step::join);
    assertThrows(CancellationException.class, stream.next()::join);
    assertEquals(0, counting.open.get());
  }
}
