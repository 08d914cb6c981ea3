package roll.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.agent.Reply;
import roll.api.config.AgentConfig;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.config.RewardConfig;
import roll.api.data.Trajectory;
import roll.api.option.Options;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.tool.Tool;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSet;
import roll.api.tracking.SpanData;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;
import roll.runtime.trace.TimelinePart;
import roll.runtime.trace.TraceScope;
import roll.runtime.trace.Tracer;
import roll.testkit.AnswerAgentType;
import roll.testkit.InMemoryPluginRegistry;

/** The spans of rollouts. */
@NullMarked
@Timeout(60)
class TracedRolloutTest {
  private static final String ASKS = "chat policy[queue, generate]";

  private final RecordedTraces traces = new RecordedTraces();
  private final FaultyGame faulty = new FaultyGame();
  private final InMemoryPluginRegistry shelf =
      Games.rewarding("one", new One())
          .with("roll.env", "faulty", faulty)
          .with("roll.tool", "shout", new Shout())
          .with("roll.agent.type", "minus", new MinusCalls());

  /** A response that begins with a minus sign calls the tool. */
  private static final class MinusCalls extends AnswerAgentType {
    @Override
    public Reply read(String response, List<ToolSchema> tools) {
      return Reply.calling(
          response.startsWith("-") ? List.of(ToolCall.of("shout", Map.of())) : List.of());
    }
  }

  private static final class Shout implements Tool {
    @Override
    public String description() {
      return "shouts";
    }

    @Override
    public ToolSet configure(Options options) {
      return ToolSet.of(ToolSchema.of("shout", "Shouts."), arguments -> ToolResult.of("A"));
    }
  }

  private static final class One implements RewardFunction {
    @Override
    public String description() {
      return "1";
    }

    @Override
    public Reward configure(Options options) {
      return (episode, models) -> Grade.of(1);
    }
  }

  private RolloutResult play(EnvConfig game, double up, EnvMonitorConfig monitor, int size) {
    RolloutRequest request =
        Games.request(
            "train",
            size,
            Games.envs(List.of("A"), List.of(1), size),
            new TablePolicy(up),
            monitor,
            game);
    return Games.service(shelf).play(request.traced(traces.scope)).join();
  }

  private RolloutResult play(EnvConfig game, double up, int size) {
    return play(game, up, new EnvMonitorConfig(30, 1, 3), size);
  }

  @Test
  void anEpisodeWithAToolAndARewardIsATree() {
    EnvConfig game =
        new EnvConfig(
            "A",
            "counting",
            "trajectory",
            EnvLimits.steps(3),
            PromptConfig.of("{observation}"),
            Map.of("target", 50),
            List.of(new RewardConfig("one", 1, Map.of())),
            new AgentConfig(
                "minus", Map.of("shout", Map.of()), 0, 9, true, 30, 99, AgentConfig.Side.LEFT));
    Trajectory played = play(game, 0.5, 1).trajectories().getFirst();
    StringBuilder turns = new StringBuilder();
    for (int turn = 0; turn < played.rewards().length; turn++) {
      String response =
          played.messages().stream()
              .filter(message -> message.role().equals("assistant"))
              .skip(turn)
              .findFirst()
              .orElseThrow()
              .content();
      String does = response.startsWith("-") ? "execute_tool shout" : "environment step";
      turns.append("turn[").append(ASKS).append(", ").append(does).append("], ");
    }
    assertEquals(List.of("episode[environment reset, " + turns + "reward]"), traces.trees());
    assertTrue(turns.toString().contains("tool"), turns.toString());
    assertTrue(turns.toString().contains("step"), turns.toString());
  }

  /** Attempts at an episode are in one trace, that of the trajectory's line. */
  @ParameterizedTest
  @CsvSource({"throw, environment step!", "sleep, environment step!"})
  void aFailedAttemptIsInTheTraceOfItsEpisode(String trouble, String fails) {
    Map<String, Object> options = Map.of("trouble", trouble, "times", 1);
    EnvConfig game =
        new EnvConfig(
            "A",
            "faulty",
            "trajectory",
            EnvLimits.steps(3),
            PromptConfig.of("{observation}"),
            options);
    Trajectory played = play(game, 1, new EnvMonitorConfig(1, 1, 3), 1).trajectories().getFirst();
    faulty.released = true;
    String turn = "turn[" + ASKS + ", environment step]";
    assertEquals(
        List.of(
            "episode![environment reset, " + turn + ", turn[" + ASKS + ", " + fails + "]]",
            "episode[environment reset, turn[environment step], " + turn + ", " + turn + "]"),
        traces.trees());
    String trace = traces.trace("train/" + played.id()).id();
    assertEquals(traces.trace("train/" + played.id()), traces.scope.traceOf(played.id()));
    for (SpanData episode : traces.named("episode")) {
      assertEquals(trace, episode.context().traceId());
      assertEquals(played.id(), episode.attributes().get("roll.trajectory_id"));
    }
    SpanData last = traces.named("episode").getLast();
    assertEquals(1L, last.attributes().get("roll.attempt"));
    assertEquals(3.0, last.attributes().get("roll.score"));
  }

  /** All but the last that asks wait for it. */
  @Test
  void aRequestKnowsForWhichEpisodeItWaited() {
    RolloutResult played = play(Games.game("A", Map.of("target", 50)), 1, 2);
    Set<Object> ids = new HashSet<>();
    played.trajectories().forEach(trajectory -> ids.add(trajectory.id()));
    List<SpanData> requests = traces.named("chat policy");
    assertEquals(10, requests.size());
    List<Object> waited =
        requests.stream()
            .map(request -> request.attributes().get("roll.waited_for"))
            .filter(ids::contains)
            .toList();
    assertEquals(5, waited.size(), requests.toString());
    for (SpanData request : requests) {
      assertEquals(2L, request.attributes().get("gen_ai.usage.output_tokens"));
    }
  }

  /** Also without tracing, and with the episode that the last request of a batch came from. */
  @Test
  void theTimesOfAnEpisodeAreThoseOfItsParts() {
    TraceScope untraced = new Tracer(() -> null).scope(TraceScope.TRAIN);
    RolloutRequest request =
        Games.request(
            "train",
            2,
            Games.envs(List.of("A"), List.of(1), 2),
            new TablePolicy(1),
            Games.game("A", Map.of("target", 50)));
    RolloutResult result = Games.service(shelf).play(request.traced(untraced)).join();
    Set<String> waited = new HashSet<>();
    for (Trajectory played : result.trajectories()) {
      List<TimelinePart> parts = untraced.takeTimeline(played.id());
      List<String> names = parts.stream().map(TimelinePart::name).toList();
      assertEquals("episode", names.getFirst());
      assertEquals("environment reset", names.get(1));
      assertEquals(
          List.of("turn", "chat policy", "queue", "generate", "environment step"),
          names.subList(2, 7));
      parts.forEach(part -> waited.add(part.waitedFor()));
    }
    waited.remove("");
    assertTrue(
        result.trajectories().stream().map(Trajectory::id).toList().containsAll(waited),
        waited::toString);
    assertFalse(waited.isEmpty());
  }

  /** The span of an episode that the rollout drops has an end, too. */
  @Test
  void everyEpisodeThatBeginsHasAnEnd() {
    RolloutRequest request =
        Games.request(
            "train",
            2,
            new EnvManagerConfig(List.of("A"), List.of(1), 2, 1, "none", Games.SAMPLING),
            new TablePolicy(1),
            Games.game("A", Map.of("target", 50)));
    var unused = Games.service(shelf).play(request.traced(traces.scope)).join();
    assertEquals(3, traces.named("episode").size());
    assertEquals(3, traces.named("environment reset").size());
  }
}
