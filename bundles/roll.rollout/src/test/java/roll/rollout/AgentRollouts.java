package roll.rollout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullMarked;
import roll.api.config.EnvConfig;
import roll.api.data.Trajectory;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.rollout.Agent;
import roll.api.rollout.AgentTurn;
import roll.api.rollout.Player;
import roll.api.strategy.Generator;
import roll.rollout.chat.NamedChatFormats;
import roll.rollout.manager.TrajectoryEnvManager;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.ProxyConfig;
import roll.runtime.pipeline.RolloutRequest;
import roll.template.FolderChatTemplates;
import roll.testkit.InMemoryPluginRegistry;

/** Rollouts played by an agent that a test defines. */
@NullMarked
final class AgentRollouts {
  static final Generator NOBODY =
      requests -> CompletableFuture.failedFuture(new AssertionError("the policy was asked"));

  final List<AgentTurn> asked = Collections.synchronizedList(new ArrayList<>());
  final AtomicInteger closed = new AtomicInteger();
  Writing writing = turn -> turn.view().respond("+");
  int maxEpisodes = Integer.MAX_VALUE;
  final CountingGame game = new CountingGame();
  final FaultyGame trouble = new FaultyGame();
  final RolloutService service =
      new RolloutService(
          new NamedChatFormats(new FolderChatTemplates()),
          new InMemoryPluginRegistry()
              .with("roll.env", "counting", game)
              .with("roll.env", "trouble", trouble)
              .with("roll.env.manager", "trajectory", new TrajectoryEnvManager())
              .with("roll.agent", "tester", new Tester()));

  /** The behavior of the agent. */
  interface Writing {
    String write(AgentTurn turn) throws InterruptedException;
  }

  /** An agent that a test defines. */
  private final class Tester implements Agent {
    private static final Option<String> MOOD =
        Option.choice("mood", List.of("good", "bad"), "of the agent").withDefault("good");

    @Override
    public String description() {
      return "Does what a test says.";
    }

    @Override
    public List<Option<?>> options() {
      return List.of(MOOD);
    }

    @Override
    public Player configure(Options options) {
      return new Player() {
        @Override
        public String respond(AgentTurn turn) throws InterruptedException {
          asked.add(turn);
          return writing.write(turn);
        }

        @Override
        public int maxEpisodes() {
          return maxEpisodes;
        }

        @Override
        public void close() {
          closed.incrementAndGet();
        }
      };
    }
  }

  /** Groups of the game A that {@code agent} plays with the options {@code by}. */
  static EnvManagerConfig envs(int groups, int size, String agent, Map<String, Object> by) {
    return new EnvManagerConfig(
        List.of("A"), List.of(groups), size, 0, "none", Games.SAMPLING, new ProxyConfig(agent, by));
  }

  /** Rollouts of the counting game with {@code options}. */
  static RolloutRequest request(int groups, int size, Map<String, Object> options) {
    EnvConfig a = Games.game("A", options);
    return Games.request("train", groups * size, envs(groups, size, "tester", Map.of()), NOBODY, a);
  }

  /** Plays them to their end. */
  List<Trajectory> play(int groups, int size, Map<String, Object> options) {
    return service.play(request(groups, size, options)).join().trajectories();
  }
}
