package roll.agent.scripted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.api.config.Options;
import roll.api.config.UserException;
import roll.api.rollout.AgentTurn;
import roll.api.rollout.EpisodeView;
import roll.api.strategy.Sampling;

@NullMarked
class ScriptedAgentTest {
  private final ScriptedAgent agent = new ScriptedAgent();

  /** A world with an expert, or with none. */
  private record World(Optional<String> expert) implements EpisodeView {
    @Override
    public String observation() {
      return "?";
    }

    @Override
    public Optional<BufferedImage> picture() {
      return Optional.empty();
    }

    @Override
    public List<String> actions() {
      return List.of("Up", "Down");
    }

    @Override
    public String respond(String action) {
      return "[" + action + "]";
    }
  }

  private String respond(Map<String, Object> options, Optional<String> expert, long seed)
      throws InterruptedException {
    return agent
        .configure(Options.of("proxy_config", options, agent.options()))
        .respond(new AgentTurn(List.of(), new World(expert), Sampling.of(1), seed, 3));
  }

  @Test
  void theExpertIsObeyed() throws InterruptedException {
    assertEquals("[Sideways]", respond(Map.of(), Optional.of("Sideways"), 1));
  }

  @Test
  void withoutAnExpertItStopsOrTakesAnyAction() throws InterruptedException {
    UserException e =
        assertThrows(UserException.class, () -> respond(Map.of(), Optional.empty(), 1));
    assertEquals(
        "the agent scripted needs an expert, which knows no action in turn 4"
            + " (proxy_config.without_expert: random takes a valid one)",
        e.getMessage());
    Set<String> taken = new TreeSet<>();
    for (long seed = 0; seed < 50; seed++) {
      taken.add(respond(Map.of("without_expert", "random"), Optional.empty(), seed));
    }
    assertEquals(Set.of("[Up]", "[Down]"), taken);
  }

  @Test
  void mistakesAreOneLine() {
    assertEquals(
        "proxy_config.without_expert: expected one of stop, random, found 'randm'; did you mean"
            + " 'random'?",
        assertThrows(
                UserException.class,
                () -> respond(Map.of("without_expert", "randm"), Optional.empty(), 1))
            .getMessage());
    assertEquals(
        "proxy_config: unknown key 'expert' (allowed: without_expert)",
        assertThrows(UserException.class, () -> respond(Map.of("expert", "x"), Optional.empty(), 1))
            .getMessage()
            .replaceFirst("; did.*", ""));
  }
}
