package roll.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.data.Trajectory;
import roll.api.option.UserException;
import roll.api.rollout.GroupFilter;
import roll.rollout.chat.NamedChatFormats;
import roll.rollout.manager.TrajectoryEnvManager;
import roll.rollout.schedule.EqualScoresFilter;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;
import roll.template.FolderChatTemplates;
import roll.testkit.InMemoryPluginRegistry;

@NullMarked
@Timeout(60)
class SupervisionTest {
  private final FaultyGame game = new FaultyGame();
  private final RolloutService service =
      new RolloutService(
          new NamedChatFormats(new FolderChatTemplates()),
          new InMemoryPluginRegistry()
              .with("roll.env", "trouble", game)
              .with("roll.env.manager", "trajectory", new TrajectoryEnvManager())
              .with("roll.group.filter", "equal_scores", new EqualScoresFilter())
              .with("roll.group.filter", "all", (GroupFilter) group -> true));

  @AfterEach
  void release() {
    game.released = true;
  }

  private static EnvConfig trouble(String tag, String trouble, int sick, int times) {
    Map<String, Object> options = Map.of("trouble", trouble, "sick", sick, "times", times);
    return new EnvConfig(
        tag,
        "trouble",
        "trajectory",
        EnvLimits.steps(5),
        PromptConfig.of("{observation}"),
        options);
  }

  private static RolloutRequest request(int groups, int size, int redundancy, EnvConfig... games) {
    List<String> tags = java.util.Arrays.stream(games).map(EnvConfig::tag).toList();
    List<Integer> each = tags.stream().map(tag -> groups / tags.size()).toList();
    return request(
        groups * size,
        new EnvManagerConfig(tags, each, size, redundancy, "none", Games.SAMPLING),
        new EnvMonitorConfig(patience(games), 1, 3),
        games);
  }

  /** Seconds: short if something hangs; otherwise no call is late, however busy the machine is. */
  private static double patience(EnvConfig... games) {
    return Stream.of(games)
            .map(game -> String.valueOf(game.options().get("trouble")))
            .anyMatch(Set.of("sleep", "loop")::contains)
        ? 0.5
        : 30;
  }

  private static RolloutRequest request(
      int trajectories, EnvManagerConfig envs, EnvMonitorConfig monitor, EnvConfig... games) {
    return Games.request("train", trajectories, envs, new TablePolicy(0.5), monitor, games);
  }

  /** The effects in three of ten episodes, every time they are played. */
  @ParameterizedTest
  @CsvSource({
    "reset, reset threw java.lang.IllegalArgumentException: no such level, failures",
    "throw, step threw java.lang.IllegalStateException: it broke, failures",
    "error, step threw java.lang.StackOverflowError, failures",
    "null, step returned null, failures",
    "nan, step returned the reward NaN, failures",
    "metric, step returned the metric m = Infinity, failures",
    "half, 'step returned an unpaired surrogate, \\ud83d at character 1'," + " failures",
    "refused, observation returned a text that the tokenizer refuses: a control character,"
        + " failures",
    "interrupt, step interrupted its own thread, failures",
    "map, step threw java.lang.UnsupportedOperationException, failures",
    "close, close threw java.lang.IllegalStateException: does not close, failures",
    "sleep, step took longer than 0.5 s, timeouts",
    "loop, step took longer than 0.5 s, timeouts"
  })
  void groupsThatCannotBePlayedAreReplaced(String trouble, String problem, String counted) {
    // loops without an end take a core each: few of them are enough
    int sick = trouble.equals("loop") ? 2 : 3;
    RolloutRequest request = request(12, 2, 0, trouble("A", trouble, sick, 1000));
    RolloutResult result = service.play(request).join();
    assertEquals(24, result.trajectories().size());
    Map<String, Long> groups =
        result.trajectories().stream()
            .collect(Collectors.groupingBy(Trajectory::groupId, Collectors.counting()));
    assertEquals(Set.of(2L), new HashSet<>(groups.values()));
    for (Trajectory trajectory : result.trajectories()) {
      assertTrue(trajectory.key().seed() / 10 % 10 >= sick, trajectory.id());
      assertEquals(3, trajectory.score());
    }
    double lost = metric(result, "scheduler/lost_groups");
    assertTrue(lost > 0);
    assertTrue(metric(result, "scheduler/failed_episodes") >= 2 * lost);
    assertEquals(metric(result, "scheduler/failed_episodes"), metric(result, "env/A/" + counted));
    assertEquals(1, result.faults().size(), () -> result.faults().toString());
    var fault = result.faults().getFirst();
    assertTrue(fault.problem().endsWith("seed " + fault.seed() + "): " + problem), fault::problem);
    assertTrue(fault.problem().startsWith("episode of A (group "), fault::problem);
    assertTrue(fault.stack().contains("\tat "), fault::stack);
    if (counted.equals("failures")) {
      assertEquals(0, game.open.get(), "every episode was closed");
    }
  }

  /** Two calls at a time may step; those that never return do not keep the others from it. */
  @Test
  void whatHangsGivesItsPermitBack() {
    EnvConfig game =
        new EnvConfig(
            "A",
            "trouble",
            "trajectory",
            new EnvLimits(5, 0, 2),
            PromptConfig.of("{observation}"),
            Map.of("trouble", "sleep", "sick", 3));
    // what is late without hanging is played again
    EnvMonitorConfig impatient = new EnvMonitorConfig(0.2, 1, 3);
    EnvManagerConfig envs = Games.envs(List.of("A"), List.of(12), 2);
    RolloutResult result = service.play(request(24, envs, impatient, game)).join();
    assertTrue(metric(result, "env/A/timeouts") > 2);
    assertEquals(24, result.trajectories().size());
  }

  @Test
  void whatWentWrongOnceIsPlayedAgain() {
    RolloutResult result = service.play(request(8, 2, 0, trouble("A", "throw", 10, 1))).join();
    assertEquals(8, metric(result, "scheduler/failed_episodes"));
    assertEquals(0, metric(result, "scheduler/lost_groups"));
    assertEquals(
        service.play(request(8, 2, 0, trouble("A", "none", 0, 0))).join().trajectories().stream()
            .map(Trajectory::groupId)
            .toList(),
        result.trajectories().stream().map(Trajectory::groupId).toList());
  }

  /** A turn that went wrong is asked for again, those before it are not. */
  @Test
  void whatIsBegunAgainIsSoonWhereItWas() {
    TablePolicy policy = new TablePolicy(0.5);
    EnvManagerConfig envs = Games.envs(List.of("A"), List.of(8), 2);
    RolloutRequest request = Games.request("train", 16, envs, policy, trouble("A", "throw", 10, 1));
    RolloutResult result = service.play(request).join();
    assertEquals(8, metric(result, "scheduler/failed_episodes"));
    // three turns; the second of eight episodes twice
    assertEquals(List.of(16, 16, 16, 8), policy.calls.stream().map(List::size).toList(), "waves");
    assertEquals(16 * 3 + 8, policy.calls.stream().mapToInt(List::size).sum());
  }

  @Test
  void theSameTroubleGivesTheSameTrajectories() {
    List<String> first = List.of();
    for (int run = 0; run < 5; run++) {
      var trajectories =
          service.play(request(12, 2, 1, trouble("A", "throw", 4, 1000))).join().trajectories();
      List<String> found = trajectories.stream().map(t -> t.id() + " " + t.messages()).toList();
      first = run == 0 ? found : first;
      assertEquals(first, found);
    }
  }

  @Test
  void aTagThatOnlyFailsIsQuarantinedAndOthersTakeItsPlace() {
    RolloutRequest request =
        request(8, 2, 0, trouble("Bad", "null", 10, 1000), trouble("Good", "none", 0, 0));
    RolloutResult result = service.play(request).join();
    assertEquals(Set.of("Bad"), result.quarantined());
    assertEquals(16, result.trajectories().size());
    result.trajectories().forEach(t -> assertEquals("Good", t.tag()));
  }

  @Test
  void aRunWithNothingToPlayEndsWithTheReason() {
    var error =
        assertThrows(
            CompletionException.class,
            () -> service.play(request(4, 2, 0, trouble("A", "throw", 10, 1000))).join());
    UserException reason = (UserException) java.util.Objects.requireNonNull(error.getCause());
    String message = String.valueOf(reason.getMessage());
    assertTrue(
        message.matches(
            "all environments are quarantined, groups of A were lost repeatedly; episode"
                + " of A \\(group 0, .*: step threw java.lang.IllegalStateException: it broke"),
        message);
    assertEquals(0, game.open.get(), "every episode was closed");
  }

  /** With a member to spare a group survives the loss of one, and drops it where all are done. */
  @Test
  void redundantMembersStandIn() {
    RolloutResult result = service.play(request(6, 2, 1, trouble("A", "none", 0, 0))).join();
    assertEquals(12, result.trajectories().size());
    assertEquals(6, metric(result, "scheduler/redundant_episodes"));
    assertEquals(
        List.of(0, 1), result.trajectories().stream().limit(2).map(t -> t.key().member()).toList());
  }

  @Test
  void groupsOfWhichNothingIsLearnedAreDropped() {
    EnvConfig game =
        new EnvConfig(
            "A",
            "trouble",
            "trajectory",
            EnvLimits.steps(5),
            PromptConfig.of("{observation}"),
            Map.of("scores", true));
    EnvManagerConfig envs =
        new EnvManagerConfig(List.of("A"), List.of(16), 2, 0, "equal_scores", Games.SAMPLING);
    RolloutResult result = service.play(request(32, envs, EnvMonitorConfig.STANDARD, game)).join();
    assertTrue(metric(result, "scheduler/group_filter_count") > 0);
    for (int i = 0; i < 32; i += 2) {
      assertFalse(result.trajectories().get(i).score() == result.trajectories().get(i + 1).score());
    }
    EnvManagerConfig all =
        new EnvManagerConfig(List.of("A"), List.of(2), 2, 0, "all", Games.SAMPLING);
    RolloutResult kept = service.play(request(4, all, EnvMonitorConfig.STANDARD, game)).join();
    assertEquals(20, metric(kept, "scheduler/group_filter_count"), "ten times each, then kept");
    assertEquals(4, kept.trajectories().size());
  }

  @Test
  void tenThousandEpisodesAtOnce() {
    RolloutResult result = service.play(request(2500, 4, 0, trouble("A", "none", 0, 0))).join();
    assertEquals(
        IntStream.range(0, 2500).boxed().toList(),
        result.trajectories().stream().map(t -> t.key().group()).distinct().toList());
    assertEquals(10_000, result.trajectories().size());
  }

  private static double metric(RolloutResult result, String name) {
    return result.metrics().getOrDefault(name, Double.NaN);
  }
}
