package roll.rollout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.agent.AgentKit;
import roll.api.config.AgentConfig;
import roll.api.config.AgentConfig.Side;
import roll.api.config.EnvConfig;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.env.Episode;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.rollout.Agent;
import roll.api.rollout.AgentTurn;
import roll.api.rollout.Player;
import roll.api.strategy.Generator;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.api.tool.ToolSet;
import roll.rollout.agent.AgentEpisodeView;
import roll.rollout.chat.NamedChatFormats;
import roll.rollout.manager.TrajectoryEnvManager;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.config.ProxyConfig;
import roll.runtime.option.YamlOptions;
import roll.runtime.pipeline.RolloutListener;
import roll.runtime.pipeline.RolloutRequest;
import roll.template.FolderChatTemplates;
import roll.testkit.InMemoryPlugins;

/** Agents in place of the policy. */
@NullMarked
@Timeout(60)
class AgentTest {
  private static final Generator NOBODY =
      requests -> CompletableFuture.failedFuture(new AssertionError("the policy was asked"));

  private final List<AgentTurn> asked = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger closed = new AtomicInteger();
  private Writing writing = turn -> turn.view().respond("+");
  private int mostEpisodes = Integer.MAX_VALUE;
  private final CountingGame game = new CountingGame();
  private final TroubleGame trouble = new TroubleGame();
  private final RolloutService service =
      new RolloutService(
          new NamedChatFormats(new FolderChatTemplates()),
          new InMemoryPlugins()
              .with("roll.env", "counting", game)
              .with("roll.env", "trouble", trouble)
              .with("roll.env.manager", "trajectory", new TrajectoryEnvManager())
              .with("roll.agent", "tester", new Tester()));

  /** What the agent does. */
  private interface Writing {
    String write(AgentTurn turn) throws InterruptedException;
  }

  /** An agent that does what a test says. */
  private final class Tester implements Agent {
    private static final Option<String> MOOD =
        Option.word("mood", List.of("good", "bad"), "of the agent").withDefault("good");

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
        public int mostEpisodes() {
          return mostEpisodes;
        }

        @Override
        public void close() {
          closed.incrementAndGet();
        }
      };
    }
  }

  private static EnvManagerConfig envs(int groups, int size, String agent, Map<String, Object> by) {
    return new EnvManagerConfig(
        List.of("A"), List.of(groups), size, 0, "none", Games.SAMPLING, new ProxyConfig(agent, by));
  }

  private static RolloutRequest request(int groups, int size, Map<String, Object> options) {
    EnvConfig a = Games.game("A", options);
    return Games.request("train", groups * size, envs(groups, size, "tester", Map.of()), NOBODY, a);
  }

  private List<Trajectory> play(int groups, int size, Map<String, Object> options) {
    return service.play(request(groups, size, options)).join().trajectories();
  }

  @Test
  void whatItWritesIsWhatTheWorldReads() {
    writing = turn -> "+<|im_end|> and more than eight tokens";
    Trajectory played = play(1, 1, Map.of("target", 50)).getFirst();
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
    writing =
        turn -> {
          assertEquals(List.of("+", "-"), turn.view().actions());
          seen.add(turn.view().observation());
          assertFalse(turn.view().expert().isPresent());
          return "+";
        };
    Trajectory played = play(1, 1, Map.of("target", 50)).getFirst();
    long start = played.seed() % 10;
    for (int turn = 0; turn < 5; turn++) {
      AgentTurn shown = asked.get(turn);
      assertEquals(turn, shown.number());
      assertEquals(2 * turn + 1, shown.messages().size());
      assertEquals("at " + (start + turn), seen.get(turn));
      assertEquals(8, shown.sampling().maxNewTokens());
    }
    assertEquals(
        new Message("user", "Turn 2: at " + (start + 1)), asked.get(1).messages().getLast());
  }

  /** Those of the chat template only: the others are in the messages that it sees. */
  @Test
  void itIsToldOfToolsThatNoMessageTellsOf() {
    ToolSchema shout = ToolSchema.of("upper", "Shouts.", Argument.text("text", "what"));
    List<ToolSet> sets = List.of(ToolSet.of(shout, arguments -> ToolResult.of("A")));
    AgentConfig config = new AgentConfig("lines", Map.of(), 0, 9, true, 30, 99, Side.LEFT);
    Options options = YamlOptions.checked("env_config", Map.of("target", 6), game.options());
    try (Episode episode = game.configure(options).reset(1)) {
      assertEquals(
          List.of(shout),
          new AgentEpisodeView(episode, new AgentKit(config, new Lines(true), sets), 0).tools());
      assertEquals(
          List.of(),
          new AgentEpisodeView(episode, new AgentKit(config, new Lines(false), sets), 0).tools());
      assertEquals(List.of(), new AgentEpisodeView(episode, null, 0).tools());
    }
  }

  @Test
  void everyTurnOfEverySeatHasItsOwnSeedAndKeepsIt() {
    writing = turn -> (turn.seed() & 1) == 0 ? "+" : "-";
    List<Trajectory> first = play(8, 4, Map.of("target", 50));
    Set<Long> seeds = new HashSet<>(asked.stream().map(AgentTurn::seed).toList());
    assertEquals(8 * 4 * 5, seeds.size());
    List<Trajectory> second = play(8, 4, Map.of("target", 50, "restless", true));
    assertEquals(
        first.stream().map(Trajectory::messages).toList(),
        second.stream().map(Trajectory::messages).toList());
    Set<Double> ups = new HashSet<>();
    first.forEach(trajectory -> ups.add(trajectory.metrics().get("ups")));
    assertTrue(ups.size() > 3, ups::toString);
    assertEquals(2, closed.get());
  }

  @Test
  void itMayPlayWorldsOfPictures() {
    writing =
        turn -> {
          assertTrue(turn.view().picture().isPresent());
          return "+";
        };
    assertEquals(5, play(1, 1, Map.of("target", 50, "pictures", true)).getFirst().rewards().length);
  }

  @Test
  void tenThousandEpisodesPlayAtOnce() {
    CountDownLatch all = new CountDownLatch(10_000);
    writing =
        turn -> {
          all.countDown();
          assertTrue(all.await(50, TimeUnit.SECONDS), "not all are in play");
          return "+";
        };
    List<Trajectory> played = play(2500, 4, Map.of("target", 50));
    assertEquals(10_000, played.size());
    assertEquals(50_000, asked.size());
    assertEquals(0, game.open.get());
  }

  @Test
  void onlySoManyEpisodesAreInPlayAsItCanKeepUpWith() {
    mostEpisodes = 3;
    AtomicInteger most = new AtomicInteger();
    writing =
        turn -> {
          most.accumulateAndGet(game.open.get(), Math::max);
          Thread.sleep(1);
          return "+";
        };
    assertEquals(40, play(10, 4, Map.of("target", 50)).size());
    assertEquals(3, most.get());
  }

  @Test
  void aWorldThatFailsGivesItsPlaceBack() {
    mostEpisodes = 1;
    List<Trajectory> played = play(6, 2, Map.of("target", 60, "breaks_at", 5));
    assertEquals(12, played.size());
    played.forEach(trajectory -> assertTrue(trajectory.seed() % 10 >= 5, trajectory.id()));
  }

  /** An episode that never comes back from a step does not keep the next one from its turn. */
  @Test
  void aWorldThatHangsGivesItsPlaceBack() {
    mostEpisodes = 1;
    Map<String, Object> sick = Map.of("trouble", "sleep", "sick", 3);
    EnvConfig game =
        new EnvConfig("A", "trouble", "trajectory", 5, 0, 5, 0, null, "{observation}", sick);
    RolloutRequest slow = Games.request("train", 8, envs(4, 2, "tester", Map.of()), NOBODY, game);
    RolloutRequest request =
        new RolloutRequest(
            slow.purpose(),
            slow.seed(),
            0,
            8,
            slow.envs(),
            slow.customEnvs(),
            slow.template(),
            slow.tokenizer(),
            slow.policy(),
            400,
            new EnvMonitorConfig(0.5, 1, 3),
            Set.of(),
            0);
    var result = service.play(request).join();
    trouble.released = true;
    assertEquals(8, result.trajectories().size());
    assertTrue(result.metrics().getOrDefault("env/A/timeouts", 0.0) > 0);
  }

  @Test
  void itsFailureEndsTheRolloutWithOneLine() {
    writing =
        turn -> {
          throw new UserException("the endpoint says 401: no such key");
        };
    CompletionException e = assertThrows(CompletionException.class, () -> play(4, 2, Map.of()));
    assertTrue(e.getCause() instanceof UserException, e::toString);
    String line = e.getCause().getMessage();
    assertTrue(line.startsWith("episode of A (group "), line);
    assertTrue(line.endsWith("): the endpoint says 401: no such key"), line);
    assertEquals(0, game.open.get());
    assertEquals(1, closed.get());
  }

  @Test
  void whatCameToItsEndIsHeardOfBeforeTheRolloutIsCancelled() throws InterruptedException {
    CountDownLatch stuck = new CountDownLatch(1);
    Set<String> heard = Collections.synchronizedSet(new HashSet<>());
    CountDownLatch three = new CountDownLatch(3);
    RolloutListener listener =
        (trajectory, frames) -> {
          heard.add(trajectory.id());
          three.countDown();
        };
    AtomicInteger episodes = new AtomicInteger();
    writing =
        turn -> {
          if (turn.number() == 0 && episodes.incrementAndGet() > 3) {
            stuck.await();
          }
          return "+";
        };
    var playing = service.play(request(4, 2, Map.of("target", 50)), listener);
    assertTrue(three.await(50, TimeUnit.SECONDS));
    playing.cancel(true);
    assertTrue(playing.isCancelled());
    assertEquals(3, heard.size());
  }

  @Test
  void mistakesNameWhatIsAllowed() {
    assertMistake(
        "llm_proxy.proxy_type: no roll.agent 'testr' is registered (registered: policy, tester);"
            + " did you mean 'tester'?",
        envs(1, 1, "testr", Map.of()));
    assertMistake(
        "llm_proxy.proxy_config: unknown key 'mod' (allowed: mood); did you mean 'mood'?",
        envs(1, 1, "tester", Map.of("mod", "good")));
    assertMistake(
        "llm_proxy.proxy_config.mood: expected text, found '3'",
        envs(1, 1, "tester", Map.of("mood", 3)));
    assertMistake(
        "llm_proxy.proxy_config.mood: expected one of good, bad, found 'sad'; did you mean"
            + " 'bad'?",
        envs(1, 1, "tester", Map.of("mood", "sad")));
  }

  private void assertMistake(String message, EnvManagerConfig envs) {
    var games = Map.of("A", Games.game("A", Map.of()));
    UserException e =
        assertThrows(
            UserException.class,
            () -> service.check(envs, games, "qwen2_5", CharTokenizer.chatMl(), 1000));
    assertEquals(message, e.getMessage());
  }
}
