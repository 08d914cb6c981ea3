package roll.agent.scripted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.rollout.AgentTurn;
import roll.api.strategy.Sampling;
import roll.testkit.TestEpisodeView;
import roll.testkit.TestOptions;

@NullMarked
class ScriptedAgentTest {
  private static final TestEpisodeView LANE = new TestEpisodeView().withActions("Up", "Down");

  private final ScriptedAgent agent = new ScriptedAgent();

  private String respond(Map<String, Object> options, @Nullable String expert, long seed)
      throws InterruptedException {
    return agent
        .configure(TestOptions.of("proxy_config", options, agent.options()))
        .respond(new AgentTurn(List.of(), LANE.withBest(expert), Sampling.of(1), seed, 3));
  }

  @Test
  void theExpertIsObeyed() throws InterruptedException {
    assertEquals("[Sideways]", respond(Map.of(), "Sideways", 1));
  }

  @Test
  void withoutAnExpertItStopsOrTakesAnyAction() throws InterruptedException {
    assertEquals(
        "the agent scripted needs an expert, which has no action in turn 4"
            + " (proxy_config.without_expert: random takes a valid one)",
        userError(() -> respond(Map.of(), null, 1)));
    Set<String> taken = new TreeSet<>();
    for (long seed = 0; seed < 50; seed++) {
      taken.add(respond(Map.of("without_expert", "random"), null, seed));
    }
    assertEquals(Set.of("[Up]", "[Down]"), taken);
  }

  @Test
  void mistakesAreOneLine() {
    assertEquals(
        "proxy_config.without_expert: expected one of stop, random, found 'randm'; did you mean"
            + " 'random'?",
        userError(() -> respond(Map.of("without_expert", "randm"), null, 1)));
    assertEquals(
        "proxy_config: unknown key 'expert' (allowed: without_expert)",
        userError(() -> respond(Map.of("expert", "x"), null, 1)).replaceFirst("; did.*", ""));
  }
}
