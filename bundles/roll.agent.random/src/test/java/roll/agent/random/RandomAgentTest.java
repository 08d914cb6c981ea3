package roll.agent.random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.api.rollout.AgentTurn;
import roll.api.rollout.Player;
import roll.api.strategy.Sampling;
import roll.testkit.TestEpisodeView;
import roll.testkit.TestOptions;

@NullMarked
class RandomAgentTest {
  private final RandomAgent agent = new RandomAgent();
  private final Player player =
      agent.configure(TestOptions.of("proxy_config", Map.of(), agent.options()));

  private String respond(long seed, String... actions) throws InterruptedException {
    var view = new TestEpisodeView().withActions(actions);
    return player.respond(new AgentTurn(List.of(), view, Sampling.of(1), seed, 0));
  }

  /** Expects 1,000 of 3,000 draws for each of three actions, with a deviation of 26. */
  @Test
  void everyActionIsAsLikelyAndFormatted() throws InterruptedException {
    Map<String, Integer> counts = new TreeMap<>();
    for (long seed = 0; seed < 3000; seed++) {
      counts.merge(respond(seed, "Up", "Down", "Wait"), 1, Integer::sum);
    }
    assertEquals(3, counts.size());
    counts.forEach((text, count) -> assertTrue(Math.abs(count - 1000) < 130, () -> text + count));
    assertTrue(counts.containsKey("[Down]"), counts::toString);
  }

  @Test
  void theSameSeedGivesTheSameAction() throws InterruptedException {
    for (long seed = 0; seed < 100; seed++) {
      assertEquals(respond(seed, "a", "b", "c", "d"), respond(seed, "a", "b", "c", "d"));
    }
  }

  @Test
  void withoutActionsItSaysSo() {
    String message = userError(() -> respond(1));
    assertEquals("the agent random needs an environment that lists its actions", message);
  }
}
