package roll.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.config.EnvConfig;
import roll.api.data.Trajectory;
import roll.api.option.Options;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;

/** Rewards that take their time: programs are run, others are asked. */
@Timeout(60)
class RewardTimeTest {
  /** Takes its time for the first episode that it rewards, none for others. */
  private static final class Slow implements RewardFunction {
    private final AtomicInteger count = new AtomicInteger();
    private final Duration time;

    Slow(Duration time) {
      this.time = time;
    }

    @Override
    public String description() {
      return "one";
    }

    @Override
    public Reward configure(Options options) {
      return (episode, models) -> {
        if (count.getAndIncrement() == 0) {
          Thread.sleep(time);
        }
        return new Grade(1, Map.of(), null);
      };
    }
  }

  private static RolloutResult play(Slow slow, EnvMonitorConfig monitor) {
    EnvConfig game = Games.rewarded("slow");
    EnvManagerConfig envs = Games.envs(List.of("A"), List.of(2), 2);
    RolloutRequest request = Games.request("train", 4, envs, new TablePolicy(0.5), monitor, game);
    return Games.service(Games.rewarding("slow", slow)).play(request).join();
  }

  @Test
  void mayTakeLongerThanACallOfTheEnvironment() {
    Slow slow = new Slow(Duration.ofSeconds(3));
    RolloutResult result = play(slow, new EnvMonitorConfig(2, 30, 1, 3));
    assertEquals(4, result.trajectories().size());
    assertEquals(List.of(), result.faults());
    assertEquals(4, slow.count.get());
    Map<String, Double> metrics = result.metrics();
    double waited = metrics.getOrDefault("time/rollout_idle_reward", 0.0);
    for (String other : List.of("reset", "environment", "tool", "agent")) {
      assertTrue(waited > metrics.get("time/rollout_idle_" + other), metrics::toString);
    }
    assertTrue(metrics.get("time/rollout_straggler/seconds") > waited / 2, metrics::toString);
  }

  /** The episode was played: it is neither lost nor played again. */
  @Test
  void areGivenUpInTheEnd() {
    Slow slow = new Slow(Duration.ofMinutes(1));
    RolloutResult result = play(slow, new EnvMonitorConfig(30, 1, 1, 3));
    assertEquals(4, result.trajectories().size());
    assertEquals(4, slow.count.get());
    assertEquals(1, result.faults().size());
    String problem = result.faults().getFirst().problem();
    assertTrue(
        problem.endsWith("a reward of A took longer than 1.0 s; the episode counts as failed"),
        problem);
    List<Trajectory> ungraded =
        result.trajectories().stream().filter(played -> !played.graded()).toList();
    assertEquals(1, ungraded.size());
    assertEquals(0, ungraded.getFirst().score());
    assertEquals(1.0, result.metrics().get("env/A/reward/ungraded"));
    assertEquals(0.75, result.metrics().get("env/A/reward/slow"));
  }
}
