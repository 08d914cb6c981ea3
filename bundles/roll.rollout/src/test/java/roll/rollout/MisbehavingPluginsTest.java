package roll.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.config.AgentConfig;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.config.RewardConfig;
import roll.api.env.Environment;
import roll.api.option.Options;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.tool.Tool;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.rollout.chat.NamedChatFormats;
import roll.rollout.manager.TrajectoryEnvManager;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.pipeline.PolicyModel;
import roll.runtime.pipeline.RolloutEnvs;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;
import roll.template.FolderChatTemplates;
import roll.testkit.InMemoryPluginRegistry;

/**
 * Every kind of plugin that episodes are played with does every {@link Misbehavior}, in its first
 * two calls: it costs the episodes, which are played again, or a call, and never the rollout.
 */
@Tag("hostile")
@NullMarked
@Timeout(60)
class MisbehavingPluginsTest {
  private static final int EPISODES = 4;

  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger calls = new AtomicInteger();

  /** Seconds that a world or a reward may take where something has no end. */
  private double patience = 0.5;

  /** Ends the threads that never end by themselves. */
  @AfterEach
  void end() {
    over.set(true);
  }

  /** {@code evil} the first two times. */
  private Misbehavior now(Misbehavior evil) {
    return calls.getAndIncrement() < 2 ? evil : Misbehavior.THROWS_ELSEWHERE;
  }

  private static void costsEpisodes(Misbehavior evil, RolloutResult result) {
    assertEquals(EPISODES, result.trajectories().size());
    assertEquals(evil.seen(), !result.faults().isEmpty(), () -> result.faults().toString());
    result.faults().forEach(fault -> assertEquals(1, fault.problem().lines().count()));
  }

  @ParameterizedTest
  @EnumSource
  void anEnvironmentThatSteps(Misbehavior evil) {
    costsEpisodes(
        evil, play(evil, new MisbehavingEnvironment(() -> now(evil), over, false), null, null));
  }

  @ParameterizedTest
  @EnumSource
  void anEnvironmentThatCloses(Misbehavior evil) {
    EnumSet<Misbehavior> silent =
        EnumSet.of(Misbehavior.NULL, Misbehavior.HALF_A_PAIR, Misbehavior.GIANT);
    if (!silent.contains(evil)) {
      costsEpisodes(
          evil, play(evil, new MisbehavingEnvironment(() -> now(evil), over, true), null, null));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aReward(Misbehavior evil) {
    RewardFunction reward =
        reward(
            grade -> {
              Misbehavior now = now(evil);
              now.commit(over);
              return new Grade(now.text("1").equals("1") ? 1 : Double.NaN, Map.of(), null);
            });
    costsEpisodes(evil, play(evil, new CountingGame(), null, reward));
  }

  @ParameterizedTest
  @EnumSource
  void anAgentType(Misbehavior evil) {
    AgentType type =
        new CallingAgent() {
          @Override
          public Reply read(String response, List<ToolSchema> tools) {
            Misbehavior now = now(evil);
            now.commit(over);
            return now.text("fine").equals("fine")
                ? super.read(response, tools)
                : new Reply(new HostileList<>(), true);
          }
        };
    costsEpisodes(evil, play(evil, new CountingGame(), type, null));
  }

  @ParameterizedTest
  @EnumSource
  void aToolThatIsOpened(Misbehavior evil) {
    tool =
        seed -> {
          Misbehavior now = now(evil);
          now.commit(over);
          return now.text("fine").equals("fine") ? (name, given) -> ToolResult.of("ok") : nothing();
        };
    costsEpisodes(evil, play(evil, new CountingGame(), new CallingAgent(), null));
  }

  /** The error is reported to the model, and the episode continues. */
  @ParameterizedTest
  @EnumSource
  void aToolThatIsCalled(Misbehavior evil) {
    tool =
        seed ->
            (name, given) -> {
              Misbehavior now = now(evil);
              now.commit(over);
              return ToolResult.of(now.text("ok"));
            };
    patience = 30; // the world has an end
    RolloutResult result = play(evil, new CountingGame(), new CallingAgent(), null);
    assertEquals(EPISODES, result.trajectories().size());
    assertEquals(List.of(), result.faults());
    assertTrue(calls.get() >= EPISODES, "no tool was called");
  }

  private Opening tool = seed -> (name, given) -> ToolResult.of("ok");

  private interface Opening {
    ToolSession open(long seed);
  }

  @SuppressWarnings("NullAway") // that is the point
  private static ToolSession nothing() {
    return null;
  }

  /** Two turns of a game in which the first response of an episode calls the tool. */
  private RolloutResult play(
      Misbehavior evil,
      Environment world,
      @org.jspecify.annotations.Nullable AgentType type,
      @org.jspecify.annotations.Nullable RewardFunction reward) {
    boolean ends = evil == Misbehavior.HANGS || evil == Misbehavior.LOOPS;
    AgentConfig agent =
        new AgentConfig(
            "evil",
            Map.of("evil", Map.of()),
            0,
            9,
            true,
            ends ? 0.5 : 30,
            99,
            AgentConfig.Side.LEFT);
    EnvConfig game =
        new EnvConfig(
            "A",
            "evil",
            "trajectory",
            EnvLimits.steps(3),
            PromptConfig.of("{observation}"),
            Map.of(),
            reward == null ? List.of() : List.of(new RewardConfig("evil", 1, Map.of())),
            type == null ? null : agent);
    InMemoryPluginRegistry shelf =
        new InMemoryPluginRegistry()
            .with("roll.env", "evil", world)
            .with("roll.env.manager", "trajectory", new TrajectoryEnvManager())
            .with("roll.tool", "evil", new OneTool());
    if (type != null) {
      shelf.with("roll.agent.type", "evil", type);
    }
    if (reward != null) {
      shelf.with("roll.reward", "evil", reward);
    }
    double seconds = ends ? patience : 30;
    RolloutRequest request =
        new RolloutRequest(
            "train",
            42,
            0,
            EPISODES,
            new RolloutEnvs(
                Games.envs(List.of("A"), List.of(2), 2),
                Map.of("A", game),
                new EnvMonitorConfig(seconds, seconds, 3, 9),
                Set.of()),
            new PolicyModel("qwen2_5", CharTokenizer.chatMl(), new TablePolicy(1), 2000),
            Map.of(),
            0);
    return new RolloutService(new NamedChatFormats(new FolderChatTemplates()), shelf)
        .play(request)
        .join();
  }

  private RewardFunction reward(UnaryOperator<Grade> grading) {
    return new RewardFunction() {
      @Override
      public String description() {
        return "evil";
      }

      @Override
      public Reward configure(Options options) {
        return (episode, models) -> grading.apply(new Grade(1, Map.of(), null));
      }
    };
  }

  private final class OneTool implements Tool {
    @Override
    public String description() {
      return "evil";
    }

    @Override
    public ToolSet configure(Options options) {
      return new ToolSet() {
        @Override
        public List<ToolSchema> tools() {
          return List.of(ToolSchema.of("evil", "Does it."));
        }

        @Override
        public ToolSession open(long seed) {
          return tool.open(seed);
        }
      };
    }
  }
}
