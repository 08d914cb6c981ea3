package roll.rollout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.agent.AgentTools;
import roll.api.config.AgentConfig;
import roll.api.config.AgentConfig.Side;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.env.Episode;
import roll.api.option.Options;
import roll.api.rollout.AgentTurn;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.api.tool.ToolSet;
import roll.rollout.agent.AgentEpisodeView;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.option.YamlOptions;

/** Views, responses and options of agents that play in place of the policy. */
@NullMarked
@Timeout(60)
class AgentTest {
  private final AgentRollouts rollouts = new AgentRollouts();

  @Test
  void whatItWritesIsWhatTheWorldReads() {
    rollouts.writing = turn -> "+<|im_end|> and more than eight tokens";
    Trajectory played = rollouts.play(1, 1, Map.of("target", 50)).getFirst();
    assertEquals(5.0, played.metrics().get("ups"));
    assertEquals(0.0, played.metrics().get("end_token"));
    assertEquals("+<|im_end|> and more than eight tokens", played.messages().get(1).content());
    Sequence sequence = played.sequences().getFirst();
    int end = sequence.tokens().length - 1;
    assertEquals(CharTokenizer.END, sequence.tokens()[end]);
    assertEquals(4, sequence.turns()[end]);
    assertEquals(-1, sequence.versions()[end]);
    assertArrayEquals(new double[end + 1], sequence.logProbs());
    assertEquals(5 * 30, played.written());
  }

  @Test
  void itSeesTheConversationTheWorldAndTheSampling() {
    List<String> seen = new ArrayList<>();
    rollouts.writing =
        turn -> {
          assertEquals(List.of("+", "-"), turn.view().actions());
          seen.add(turn.view().observation());
          assertFalse(turn.view().expert().isPresent());
          return "+";
        };
    Trajectory played = rollouts.play(1, 1, Map.of("target", 50)).getFirst();
    long start = played.key().seed() % 10;
    for (int turn = 0; turn < 5; turn++) {
      AgentTurn shown = rollouts.asked.get(turn);
      assertEquals(turn, shown.number());
      assertEquals(2 * turn + 1, shown.messages().size());
      assertEquals("at " + (start + turn), seen.get(turn));
      assertEquals(8, shown.sampling().maxNewTokens());
    }
    assertEquals(
        new Message("user", "Turn 2: at " + (start + 1)),
        rollouts.asked.get(1).messages().getLast());
  }

  /** Tools of the chat template only: the others are in the messages that it sees. */
  @Test
  void itIsToldOfToolsThatNoMessageTellsOf() {
    ToolSchema shout = ToolSchema.of("upper", "Shouts.", Argument.text("text", "what"));
    List<ToolSet> sets = List.of(ToolSet.of(shout, arguments -> ToolResult.of("A")));
    AgentConfig config = new AgentConfig("lines", Map.of(), 0, 9, true, 30, 99, Side.LEFT);
    Options options =
        YamlOptions.checked("env_config", Map.of("target", 6), rollouts.game.options());
    try (Episode episode = rollouts.game.configure(options).reset(1)) {
      assertEquals(
          List.of(shout),
          new AgentEpisodeView(episode, new AgentTools(config, new LineCallAgent(true), sets), 0)
              .tools());
      assertEquals(
          List.of(),
          new AgentEpisodeView(episode, new AgentTools(config, new LineCallAgent(false), sets), 0)
              .tools());
      assertEquals(List.of(), new AgentEpisodeView(episode, null, 0).tools());
    }
  }

  @Test
  void everyTurnOfEverySeatHasItsOwnSeedAndKeepsIt() {
    rollouts.writing = turn -> (turn.seed() & 1) == 0 ? "+" : "-";
    List<Trajectory> first = rollouts.play(8, 4, Map.of("target", 50));
    Set<Long> seeds = new HashSet<>(rollouts.asked.stream().map(AgentTurn::seed).toList());
    assertEquals(8 * 4 * 5, seeds.size());
    List<Trajectory> second = rollouts.play(8, 4, Map.of("target", 50, "restless", true));
    assertEquals(
        first.stream().map(Trajectory::messages).toList(),
        second.stream().map(Trajectory::messages).toList());
    Set<Double> ups = new HashSet<>();
    first.forEach(trajectory -> ups.add(trajectory.metrics().get("ups")));
    assertTrue(ups.size() > 3, ups::toString);
    assertEquals(2, rollouts.closed.get());
  }

  @Test
  void itMayPlayWorldsOfPictures() {
    rollouts.writing =
        turn -> {
          assertTrue(turn.view().picture().isPresent());
          assertEquals(
              turn.number() + 1, Message.pictures(turn.messages()).size(), "one a turn so far");
          return "+";
        };
    assertEquals(
        5, rollouts.play(1, 1, Map.of("target", 50, "pictures", true)).getFirst().rewards().length);
  }

  @Test
  void mistakesNameWhatIsAllowed() {
    assertMistake(
        "llm_proxy.proxy_type: no roll.agent 'testr' is registered (registered: policy, tester);"
            + " did you mean 'tester'?",
        AgentRollouts.envs(1, 1, "testr", Map.of()));
    assertMistake(
        "llm_proxy.proxy_config: unknown key 'mod' (allowed: mood); did you mean 'mood'?",
        AgentRollouts.envs(1, 1, "tester", Map.of("mod", "good")));
    assertMistake(
        "llm_proxy.proxy_config.mood: expected text, found '3'",
        AgentRollouts.envs(1, 1, "tester", Map.of("mood", 3)));
    assertMistake(
        "llm_proxy.proxy_config.mood: expected one of good, bad, found 'sad'; did you mean"
            + " 'bad'?",
        AgentRollouts.envs(1, 1, "tester", Map.of("mood", "sad")));
  }

  private void assertMistake(String message, EnvManagerConfig envs) {
    var games = Map.of("A", Games.game("A", Map.of()));
    assertEquals(
        message,
        userError(
            () -> rollouts.service.check(envs, games, "qwen2_5", CharTokenizer.chatMl(), 1000)));
  }
}
