package roll.rollout.supervise;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

@NullMarked
class EpisodeTimesTest {
  private long now = 1000;
  private final EpisodeTimes times = new EpisodeTimes(() -> now);

  @Test
  void theTimeThatNoCallTookIsTheAgents() {
    now = 1100;
    times.add(EpisodeActivity.RESET, 1070);
    now = 1200;
    times.add(EpisodeActivity.ENVIRONMENT, 1150);
    Map<EpisodeActivity, Double> shares = times.shares();
    assertEquals(0.15, shares.get(EpisodeActivity.RESET));
    assertEquals(0.25, shares.get(EpisodeActivity.ENVIRONMENT));
    assertEquals(0.0, shares.get(EpisodeActivity.TOOL));
    assertEquals(0.6, shares.get(EpisodeActivity.AGENT));
  }

  @Test
  void aCallThatBeganBeforeTheResponseCountsFromTheResponse() {
    now = 1500;
    times.restart();
    now = 1600;
    times.add(EpisodeActivity.REWARD, 1200);
    assertEquals(1.0, times.shares().get(EpisodeActivity.REWARD));
  }

  @Test
  void concurrentToolsShareTheTime() {
    now = 1100;
    times.add(EpisodeActivity.TOOL, 1000);
    times.add(EpisodeActivity.TOOL, 1000);
    assertEquals(1.0, times.shares().get(EpisodeActivity.TOOL));
    assertEquals(0.0, times.shares().get(EpisodeActivity.AGENT));
  }
}
