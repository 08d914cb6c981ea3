package roll.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import roll.api.config.AgentConfig;
import roll.api.config.AgentConfig.Side;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.rollout.Agent;
import roll.api.rollout.AgentTurn;
import roll.api.rollout.Player;
import roll.api.tool.Tool;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.api.tool.ToolSet;
import roll.rollout.manager.TrajectoryEnvManager;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.ProxyConfig;
import roll.testkit.InMemoryPluginRegistry;

/** Environments with tools of their own: each episode executes its calls. */
@NullMarked
@Timeout(60)
class OwnToolsTest {
  private static final ToolSchema PUT =
      ToolSchema.of("put", "Appends to the box.", Argument.text("text", "what"));

  private final RecordedTraces traces = new RecordedTraces();
  private final AtomicInteger open = new AtomicInteger();
  private final List<String> ends = new ArrayList<>();
  private String[] responses = {};
  private final InMemoryPluginRegistry plugins =
      new InMemoryPluginRegistry()
          .with("roll.env", "box", new Box())
          .with("roll.env.manager", "trajectory", new TrajectoryEnvManager())
          .with("roll.agent.type", "lines", new LineCallAgent())
          .with("roll.agent", "tester", new Speaker());
  private final RolloutService service = Games.service(plugins);

  /** The reward is the number of characters in the box. */
  private final class Box implements Environment {
    @Override
    public String description() {
      return "Put texts in a box.";
    }

    @Override
    public Scenario configure(Options options) {
      open.incrementAndGet();
      return new Scenario() {
        @Override
        public String instruction() {
          return "";
        }

        @Override
        public List<ToolSchema> tools() {
          return List.of(PUT);
        }

        @Override
        public Episode reset(long seed) {
          return new Opened();
        }

        @Override
        public void close() {
          open.decrementAndGet();
        }
      };
    }
  }

  private final class Opened implements Episode {
    private final StringBuilder content = new StringBuilder();

    @Override
    public String observation() {
      return "a box";
    }

    @Override
    public ToolResult call(String tool, Map<String, Object> arguments) {
      content.append(arguments.get("text"));
      return ToolResult.of(tool + ": " + content);
    }

    @Override
    public Step step(String response) {
      synchronized (ends) {
        ends.add(response);
      }
      return new Step("", content.length(), true, false, Map.of(Step.SUCCESS, 1.0));
    }
  }

  private final class Speaker implements Agent {
    @Override
    public String description() {
      return "Says what a test says.";
    }

    @Override
    public Player configure(Options options) {
      return new Player() {
        @Override
        public String respond(AgentTurn turn) {
          return responses[turn.number()];
        }
      };
    }
  }

  private static EnvConfig config(int turns, @Nullable AgentConfig agent) {
    return new EnvConfig(
        "A",
        "box",
        "trajectory",
        EnvLimits.steps(turns),
        PromptConfig.of("{observation}"),
        Map.of(),
        List.of(),
        agent);
  }

  private static AgentConfig agent(Map<String, Map<String, Object>> tools) {
    return new AgentConfig("lines", tools, 0, 9, true, 30, 99, Side.LEFT);
  }

  private List<Trajectory> play(EnvConfig config, int members, String... said) {
    responses = said;
    EnvManagerConfig envs =
        new EnvManagerConfig(
            List.of("A"),
            List.of(1),
            members,
            0,
            "none",
            Games.SAMPLING,
            new ProxyConfig("tester", Map.of()));
    return service
        .play(
            Games.request("train", members, envs, AgentRollouts.NOBODY, config)
                .traced(traces.scope))
        .join()
        .trajectories();
  }

  private static String refused(Executable played) {
    Throwable failure = assertThrows(CompletionException.class, played).getCause();
    return assertInstanceOf(UserException.class, failure).getMessage();
  }

  private static String results(Trajectory played) {
    return played.messages().stream()
        .filter(message -> message.role().equals("tool"))
        .map(Message::content)
        .collect(Collectors.joining(", "));
  }

  @Test
  void eachEpisodeExecutesItsCallsInOrder() {
    List<Trajectory> played =
        play(config(9, agent(Map.of())), 3, "put: a\nput: b", "put: c", "closed");
    for (Trajectory one : played) {
      assertEquals("put: a, put: ab, put: abc", results(one));
      assertEquals(3, one.rewards()[2]);
      assertEquals(1.0, one.metrics().get("success"));
      assertEquals("no_tool_calls", one.finish());
    }
    assertEquals(List.of("closed", "closed", "closed"), ends);
    assertEquals(0, open.get());
    assertEquals(0, plugins.leased());
  }

  @Test
  void whatWasDoneCountsWhereALimitEndsTheEpisode() {
    Trajectory played = play(config(2, agent(Map.of())), 1, "put: ab", "put: c").getFirst();
    assertEquals("max_turns", played.finish());
    assertEquals(0, played.rewards()[0]);
    assertEquals(3, played.rewards()[1]);
    assertEquals(1.0, played.metrics().get("success"));
    assertEquals(2.0, played.metrics().get("tool_calls"));
    assertEquals(List.of(""), ends);
    String calls = "execute_tool put, execute_tool put";
    assertEquals(
        List.of("episode[environment reset, " + calls + ", environment step]"), traces.trees());
  }

  @Test
  void withoutAnAgentItIsRefused() {
    assertEquals(
        "custom_envs.A.agent is missing: without it nothing calls the environment's tools"
            + " (allowed: {})",
        refused(() -> play(config(2, null), 1)));
    assertEquals(0, open.get());
  }

  @Test
  void aToolOfTheAgentMayNotHaveTheName() {
    plugins.with(
        "roll.tool",
        "other",
        new Tool() {
          @Override
          public String description() {
            return "Another box.";
          }

          @Override
          public ToolSet configure(Options options) {
            return ToolSet.of(PUT, arguments -> ToolResult.of(""));
          }
        });
    assertEquals(
        "custom_envs.A.agent.tools: the environment and other both have a tool called 'put'",
        refused(() -> play(config(2, agent(Map.of("other", Map.of()))), 1)));
    assertEquals(0, open.get());
  }
}
