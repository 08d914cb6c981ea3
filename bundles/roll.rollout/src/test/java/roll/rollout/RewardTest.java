package roll.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.EnvLimits.CutResponses;
import roll.api.config.PromptConfig;
import roll.api.config.RewardConfig;
import roll.api.data.Trajectory;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.rollout.chat.NamedChatFormats;
import roll.rollout.manager.TrajectoryEnvManager;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;
import roll.template.FolderChatTemplates;
import roll.testkit.InMemoryPluginRegistry;

/** Rewards that are added to those of an environment. */
@Timeout(60)
class RewardTest {
  private final InMemoryPluginRegistry shelf =
      new InMemoryPluginRegistry()
          .with("roll.env", "counting", new CountingGame())
          .with("roll.env.manager", "trajectory", new TrajectoryEnvManager())
          .with("roll.reward", "turns", new Turns());
  private final RolloutService service =
      new RolloutService(new NamedChatFormats(new FolderChatTemplates()), shelf);

  /** A reward for each turn. */
  private static final class Turns implements RewardFunction {
    private static final Option<Integer> MOST =
        Option.integer("most", 0, 9, "turns that count").withDefault(9);

    @Override
    public String description() {
      return "the number of turns";
    }

    @Override
    public List<Option<?>> options() {
      return List.of(MOST);
    }

    @Override
    public Reward configure(Options options) {
      int most = options.get(MOST);
      return (episode, models) -> Grade.of(Math.min(most, episode.rewards().length));
    }
  }

  /** The number of turns as a detail, and as an answer; beyond a limit it is no number. */
  private record Counted(int most, @Nullable String answer) implements RewardFunction {
    @Override
    public String description() {
      return "nothing, with details";
    }

    @Override
    public Reward configure(Options options) {
      return (episode, models) -> {
        double turns = episode.rewards().length;
        double shown = turns > most ? Double.POSITIVE_INFINITY : turns;
        return new Grade(1, Map.of("turns", shown, "acc", 0.5), answer);
      };
    }
  }

  @Test
  void detailsAreMetricsAndTheFirstAnswerIsKept() {
    shelf
        .with("roll.reward", "silent", new Counted(9, null))
        .with("roll.reward", "says", new Counted(9, "42"))
        .with("roll.reward", "late", new Counted(9, "43"));
    List<RewardConfig> rewards =
        List.of(
            new RewardConfig("silent", 1, Map.of()),
            new RewardConfig("says", 3, Map.of()),
            new RewardConfig("late", 0, Map.of()));
    RolloutResult result = play(rewards);
    for (Trajectory trajectory : result.trajectories()) {
      double turns = trajectory.rewards().length;
      assertEquals("42", trajectory.answer());
      assertEquals(3.0, trajectory.metrics().get("reward/says"));
      assertEquals(turns, trajectory.metrics().get("reward/says/turns")); // not weighted
      assertEquals(turns, trajectory.metrics().get("reward/late/turns"));
      assertEquals(0.5, trajectory.metrics().get("reward/silent/acc"));
    }
    assertEquals(0.5, result.metrics().get("env/A/reward/says/acc"));
    for (Trajectory trajectory : play(List.of(rewards.getFirst())).trajectories()) {
      assertNull(trajectory.answer());
    }
  }

  @Test
  void aDetailThatIsNoNumberIsMissing() {
    shelf.with("roll.reward", "odd", new Counted(2, null));
    RolloutResult result = play(List.of(new RewardConfig("odd", 1, Map.of())));
    assertEquals(List.of(), result.faults());
    for (Trajectory trajectory : result.trajectories()) {
      assertTrue(trajectory.graded());
      assertEquals(1.0, trajectory.metrics().get("reward/odd"));
      assertEquals(
          trajectory.rewards().length <= 2, trajectory.metrics().containsKey("reward/odd/turns"));
    }
  }

  @Test
  void areInTheLastTurnAndAMetric() {
    List<Trajectory> plain = play(List.of()).trajectories();
    RolloutResult result = play(List.of(new RewardConfig("turns", 0.5, Map.of())));
    assertEquals(plain.size(), result.trajectories().size());
    double sum = 0;
    for (int i = 0; i < plain.size(); i++) {
      Trajectory without = plain.get(i);
      Trajectory with = result.trajectories().get(i);
      int turns = without.rewards().length;
      for (int turn = 0; turn < turns - 1; turn++) {
        assertEquals(without.rewards()[turn], with.rewards()[turn]);
      }
      assertEquals(without.rewards()[turns - 1] + 0.5 * turns, with.rewards()[turns - 1]);
      assertEquals(0.5 * turns, with.metrics().get("reward/turns"));
      assertEquals("shelf 1.0.0", with.environment());
      sum += 0.5 * turns;
    }
    double mean = result.metrics().getOrDefault("env/A/reward/turns", Double.NaN);
    assertEquals(sum / plain.size(), mean, 1e-12);
    assertEquals(0, shelf.leased());
  }

  /** A response of two tokens one is allowed. */
  @Test
  void anEpisodeThatEndsWithACutResponseMayCountAsFailed() {
    List<RewardConfig> rewards = List.of(new RewardConfig("turns", 0.5, Map.of()));
    RolloutResult judged = play(new EnvLimits(5, 1, 0), rewards);
    RolloutResult failed = play(new EnvLimits(5, 1, 0, CutResponses.FAIL), rewards);
    for (int i = 0; i < judged.trajectories().size(); i++) {
      Trajectory as = judged.trajectories().get(i);
      Trajectory lost = failed.trajectories().get(i);
      int turns = as.rewards().length;
      assertEquals(IntStream.range(0, turns).boxed().toList(), as.cut());
      assertEquals(as.cut(), lost.cut());
      assertEquals(0.5 * turns, as.metrics().get("reward/turns"));
      assertEquals(0, lost.rewards()[turns - 1]);
      assertFalse(lost.metrics().containsKey("reward/turns"));
      assertEquals(0.0, lost.metrics().getOrDefault("success", 0.0));
    }
    assertEquals(1.0, failed.metrics().get("env/cut_responses"));
    assertEquals(1.0, failed.metrics().get("env/A/cut_responses"));
    assertEquals(0.0, play(rewards).metrics().get("env/cut_responses"));
  }

  /** Neither the other members of a group nor the rollout are harmed. */
  @ParameterizedTest
  @CsvSource({"val, nan", "train, nan", "train, throws", "val, refuses"})
  void whatCannotBeGradedCountsAsFailed(String purpose, String how) {
    shelf.with("roll.reward", "odd", new Odd(how));
    List<RewardConfig> odd = List.of(new RewardConfig("odd", 0.5, Map.of()));
    RolloutResult result = service.play(request(purpose, EnvLimits.steps(5), odd)).join();
    List<Trajectory> played = result.trajectories();
    assertEquals(12, played.size());
    List<Trajectory> ungraded = played.stream().filter(t -> !t.graded()).toList();
    assertEquals(4, ungraded.size());
    for (Trajectory trajectory : played) {
      boolean graded = trajectory.key().member() > 0;
      assertEquals(graded, trajectory.graded());
      assertEquals(graded ? 0.5 : 0, trajectory.metrics().get("reward/odd"));
      if (!graded) {
        assertEquals(0, trajectory.rewards()[trajectory.rewards().length - 1]);
        assertEquals(0.0, trajectory.metrics().getOrDefault("success", 0.0));
      }
    }
    assertEquals(1 / 3.0, result.metrics().getOrDefault("env/A/reward/odd", -1.0), 1e-12);
    assertEquals(2 / 3.0, result.metrics().getOrDefault("env/A/reward/odd/acc", -1.0), 1e-12);
    assertEquals(4.0, result.metrics().get("env/A/reward/ungraded"));
    assertEquals(0.0, result.metrics().get("scheduler/failed_episodes"));
    assertEquals(1, result.faults().size());
    String told =
        switch (how) {
          case "nan" -> "reward odd returned NaN";
          case "throws" -> "a reward of A threw java.lang.IllegalStateException: no idea";
          default -> "the judge is not there";
        };
    String problem = result.faults().getFirst().problem();
    assertTrue(problem.endsWith(": " + told + "; the episode counts as failed"), problem);
  }

  /** Grades all members of a group but the first with 1; the first as {@code how} says. */
  private record Odd(String how) implements RewardFunction {
    @Override
    public String description() {
      return "odd";
    }

    @Override
    public Reward configure(Options options) {
      return (episode, models) -> {
        if (episode.key().member() > 0) {
          return new Grade(1, Map.of("acc", 1.0), null);
        }
        return switch (how) {
          case "nan" -> Grade.of(Double.NaN);
          case "throws" -> throw new IllegalStateException("no idea");
          default -> throw new UserException("the judge is not there");
        };
      };
    }
  }

  @Test
  void whatIsNotThereIsSaid() {
    assertEquals(
        "custom_envs.A.rewards: no roll.reward 'turn' is registered (registered: turns); did you"
            + " mean 'turns'?",
        refused(new RewardConfig("turn", 1, Map.of())));
    assertEquals(
        "custom_envs.A.rewards.turns: unknown key 'mosst' (allowed: most); did you mean 'most'?",
        refused(new RewardConfig("turns", 1, Map.of("mosst", 1))));
    assertEquals(0, shelf.leased());
  }

  private String refused(RewardConfig reward) {
    RolloutRequest request = request(List.of(reward));
    return userError(
        () ->
            service.check(
                request.envs().manager(),
                request.envs().customEnvs(),
                request.policy().template(),
                request.policy().tokenizer(),
                request.policy().sequenceLength()));
  }

  private RolloutResult play(List<RewardConfig> rewards) {
    return service.play(request(rewards)).join();
  }

  private RolloutResult play(EnvLimits limits, List<RewardConfig> rewards) {
    return service.play(request(limits, rewards)).join();
  }

  private static RolloutRequest request(List<RewardConfig> rewards) {
    return request(EnvLimits.steps(5), rewards);
  }

  private static RolloutRequest request(EnvLimits limits, List<RewardConfig> rewards) {
    return request("train", limits, rewards);
  }

  private static RolloutRequest request(
      String purpose, EnvLimits limits, List<RewardConfig> rewards) {
    EnvConfig game =
        new EnvConfig(
            "A",
            "counting",
            "trajectory",
            limits,
            PromptConfig.of("Turn {turn_idx}: {observation}"),
            Map.of(),
            rewards,
            null);
    return Games.request(
        purpose, 12, Games.envs(List.of("A"), List.of(4), 3), new TablePolicy(0.5), game);
  }
}
