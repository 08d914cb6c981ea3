package roll.rollout.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.rollout.generation.GenerationBarrier.Arrival;
import roll.rollout.supervise.EpisodeActivity;
import roll.rollout.supervise.EpisodeSlot;

@NullMarked
class RolloutIdleTest {
  private static final long SECOND = 1_000_000_000;

  private final RolloutIdle idle = new RolloutIdle();
  private final Map<String, Double> metrics = new TreeMap<>();

  private static Arrival arrival(int member, double tool, long alone) {
    return new Arrival(
        new EpisodeSlot("A", 3, 1, 0, member, 7),
        Map.of(EpisodeActivity.TOOL, tool, EpisodeActivity.ENVIRONMENT, 1 - tool),
        alone);
  }

  @Test
  void aWaitIsThatOfTheEpisodeThatEndedIt() {
    idle.add(2 * SECOND, arrival(0, 0.75, 0));
    idle.add(SECOND, arrival(1, 0, 0));
    idle.add(SECOND, null);
    idle.take(metrics);
    assertEquals(1.5, metrics.get("time/rollout_idle_tool"));
    assertEquals(1.5, metrics.get("time/rollout_idle_environment"));
    assertEquals(0.0, metrics.get("time/rollout_idle_reward"));
    assertEquals(0.0, metrics.get("time/rollout_straggler/seconds"));
    assertFalse(metrics.containsKey("time/rollout_straggler/group"));
  }

  @Test
  void theStragglerIsTheEpisodeThatWasWaitedForLongestAlone() {
    idle.add(5 * SECOND, arrival(4, 1, 3 * SECOND));
    idle.add(2 * SECOND, arrival(5, 1, 9 * SECOND)); // alone mostly while others had responses
    idle.take(metrics);
    assertEquals(3.0, metrics.get("time/rollout_straggler/seconds"));
    assertEquals(4.0, metrics.get("time/rollout_straggler/member"));
    assertEquals(3.0, metrics.get("time/rollout_straggler/group"));
    idle.take(metrics);
    assertEquals(0.0, metrics.get("time/rollout_straggler/seconds"), "each step begins again");
  }

  @Test
  void timeWithoutEpisodesIsTheQueues() {
    idle.addQueue(SECOND);
    idle.takeQueue(metrics);
    assertEquals(1.0, metrics.get("time/rollout_idle_queue"));
    idle.takeQueue(metrics);
    assertEquals(0.0, metrics.get("time/rollout_idle_queue"));
  }
}
