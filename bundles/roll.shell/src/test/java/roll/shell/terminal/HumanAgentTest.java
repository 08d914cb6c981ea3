package roll.shell.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.data.Message;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.rollout.AgentTurn;
import roll.api.rollout.EpisodeView;
import roll.api.rollout.Player;
import roll.api.strategy.Sampling;
import roll.runtime.option.YamlOptions;
import roll.shell.Gogo;

@NullMarked
@Timeout(60)
class HumanAgentTest {
  private final HumanAgent agent = new HumanAgent();
  private final Options none = YamlOptions.checked("proxy_config", Map.of(), agent.options());
  private final AgentTurn turn =
      new AgentTurn(
          List.of(new Message("system", "S"), new Message("user", "Where to?\n")),
          new Crossing(),
          Sampling.of(1),
          0,
          0);

  /** One can go left or right. */
  private static final class Crossing implements EpisodeView {
    @Override
    public String observation() {
      return "";
    }

    @Override
    public Optional<BufferedImage> picture() {
      return Optional.empty();
    }

    @Override
    public List<String> actions() {
      return List.of("Left", "Right");
    }

    @Override
    public String respond(String action) {
      return "<answer>" + action + "</answer>";
    }

    @Override
    public Optional<String> expert() {
      return Optional.empty();
    }
  }

  @Test
  void thePersonReadsTheNewestMessageAndAnswers() throws InterruptedException {
    try (Gogo gogo = new Gogo(new Object(), "none", "up\nr\nleft\n");
        HumanAgent.Terminal _ = agent.attach(gogo.session(), () -> {});
        Player player = agent.configure(none)) {
      assertEquals("<answer>Right</answer>", player.respond(turn));
      assertEquals("<answer>Left</answer>", player.respond(turn));
      assertEquals(1, player.maxEpisodes());
      assertEquals(
          """
          Where to?
          actions: Left, Right
          'up' is not an action (also: hint, say <response>, quit)
          Where to?
          actions: Left, Right
          """,
          gogo.printed().replace(System.lineSeparator(), "\n"));
    }
    assertTrue(agent.interactive());
  }

  @Test
  void whoLeavesEndsTheRollout() throws InterruptedException {
    CountDownLatch left = new CountDownLatch(1);
    try (Gogo gogo = new Gogo(new Object(), "none", "quit\n");
        HumanAgent.Terminal _ = agent.attach(gogo.session(), left::countDown);
        Player player = agent.configure(none)) {
      Thread episode =
          Thread.startVirtualThread(
              () -> assertThrows(InterruptedException.class, () -> player.respond(turn)));
      assertTrue(left.await(50, TimeUnit.SECONDS));
      episode.interrupt(); // as the end of the rollout does
      episode.join();
    }
  }

  @Test
  void nobodyPlaysWithoutATerminal() {
    String complaint = "the agent human needs a terminal: use it with the command rollout";
    assertEquals(
        complaint, assertThrows(UserException.class, () -> agent.configure(none)).getMessage());
    try (Gogo gogo = new Gogo(new Object(), "none")) {
      agent.attach(gogo.session(), () -> {}).close();
    }
    assertThrows(UserException.class, () -> agent.configure(none));
  }
}
