package roll.rollout.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.EnvConfig;
import roll.api.config.PromptConfig;
import roll.api.data.Trajectory;
import roll.api.env.Environment;
import roll.api.env.Scenario;
import roll.api.image.Picture;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.rollout.CharTokenizer;
import roll.rollout.CountingGame;
import roll.rollout.FaultyGame;
import roll.rollout.Games;
import roll.rollout.TablePolicy;
import roll.rollout.chat.NamedChatFormats;
import roll.rollout.manager.StepEnvManager;
import roll.rollout.manager.TrajectoryEnvManager;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.PolicyModel;
import roll.runtime.pipeline.RolloutEnvs;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;
import roll.runtime.replay.ReplayedEpisode;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.InMemoryPluginRegistry;

/** Episodes of a rollout are played again from their lines. */
@NullMarked
@Timeout(60)
class ReplayTest {
  private static final EnvConfig GAME = Games.game("Game", Map.of("target", 8));

  private final CountingGame game = new CountingGame();
  private final FaultyGame trouble = new FaultyGame();
  private final InMemoryPluginRegistry plugins =
      new InMemoryPluginRegistry()
          .with("roll.env", "counting", game)
          .with("roll.env", "trouble", trouble)
          .with("roll.env.manager", "step", new StepEnvManager())
          .with("roll.env.manager", "trajectory", new TrajectoryEnvManager());
  private final RunConfig run;

  ReplayTest(@TempDir Path folder) {
    run = ExampleRunConfigs.small(folder, 1);
  }

  /** Six episodes of the example run, all of them drawn. */
  private static RolloutResult play(CountingGame game, String purpose, EnvConfig config) {
    EnvManagerConfig envs = Games.envs(List.of("Game"), List.of(3), 2);
    return Games.service(game)
        .play(
            new RolloutRequest(
                purpose,
                42,
                0,
                6,
                new RolloutEnvs(
                    envs, Map.of("Game", config), new EnvMonitorConfig(30, 1, 3), Set.of()),
                new PolicyModel("qwen2_5", CharTokenizer.chatMl(), new TablePolicy(0.7), 400),
                Map.of(),
                6))
        .join();
  }

  private ReplayedEpisode replay(EnvConfig config, String line) throws InterruptedException {
    return replay(config, line, true);
  }

  private ReplayedEpisode replay(EnvConfig config, String line, boolean own)
      throws InterruptedException {
    try (RunChatFormat model = new RunChatFormat(run, new NamedChatFormats(), null)) {
      return new Replay(run, config, RecordedLine.episode(line))
          .play(() -> new ReplaySetup(plugins, config, model, 400, own), model);
    } finally {
      assertEquals(0, plugins.leased());
      assertEquals(0, game.open.get() + trouble.open.get(), "episodes are closed");
    }
  }

  private String complaint(EnvConfig config, String line) {
    String complaint = userError(() -> replay(config, line));
    assertEquals(1, complaint.lines().count(), complaint);
    return complaint;
  }

  private static List<Picture> drawn(List<BufferedImage> frames) {
    return frames.stream().map(Picture::png).toList();
  }

  @Test
  void framesAreThoseThatWereDrawn() throws InterruptedException {
    for (String purpose : List.of("train", "val")) {
      RolloutResult played = play(new CountingGame(), purpose, GAME);
      for (Trajectory trajectory : played.trajectories()) {
        ReplayedEpisode again = replay(GAME, TrajectoryLines.of(trajectory));
        assertEquals(drawn(played.pictures().get(trajectory.id())), again.frames());
        assertEquals(trajectory.rewards().length + 1, again.frames().size());
        assertEquals(null, again.otherwise());
      }
    }
  }

  @Test
  void promptsThatAreRebuiltDoNotMatter() throws InterruptedException {
    EnvConfig steps =
        new EnvConfig(
            "Game",
            "counting",
            "step",
            GAME.limits(),
            PromptConfig.of("{current_observation}"),
            GAME.options());
    Trajectory played = play(new CountingGame(), "train", GAME).trajectories().getFirst();
    assertEquals(
        played.rewards().length + 1, replay(steps, TrajectoryLines.of(played)).frames().size());
  }

  @Test
  void whatPlaysOtherwiseHasNoFrames() throws InterruptedException {
    Trajectory played =
        play(new CountingGame(), "train", GAME).trajectories().stream()
            .filter(trajectory -> trajectory.rewards()[0] < 0 && first(trajectory) >= 0)
            .findFirst()
            .orElseThrow();
    String line = TrajectoryLines.of(played);
    String other = up(played) ? "-" : "+";
    ReplayedEpisode said =
        replay(
            GAME,
            line.replaceFirst(
                    "\"assistant\",\"content\":\"[+-]", "\"assistant\",\"content\":\"" + other)
                .replaceFirst("\"texts\":\\[.*?]", "\"texts\":[]"));
    assertEquals(List.of(), said.frames());
    assertEquals("turn 2 has another observation than was recorded", said.otherwise());
    ReplayedEpisode shorter = replay(Games.game("Game", Map.of("target", first(played))), line);
    assertEquals(List.of(), shorter.frames());
    assertEquals("turn 1 has the reward 1.0, not -0.125 as recorded", shorter.otherwise());
  }

  private static boolean up(Trajectory played) {
    return played.messages().get(1).content().startsWith("+");
  }

  /** The number after the first turn. */
  private static int first(Trajectory played) {
    return (int) (played.key().seed() % 10) + (up(played) ? 1 : -1);
  }

  @Test
  void whatIsNotDrawnOrFailsIsOneLine() throws InterruptedException {
    String line = TrajectoryLines.of(play(new CountingGame(), "train", GAME).trajectories().get(0));
    assertEquals(
        "custom_envs.Game (trouble): cannot be rendered", complaint(troubled("none"), line));
    assertEquals(
        "custom_envs.Game (trouble): reset threw IllegalArgumentException: no such level",
        complaint(troubled("reset"), line).replace("java.lang.", ""));
    assertTrue(
        complaint(Games.game("Game", Map.of("goal", 3)), line).contains("custom_envs.Game"), line);
    EnvConfig gone =
        new EnvConfig("Game", "chess", "trajectory", GAME.limits(), GAME.prompts(), Map.of());
    assertTrue(complaint(gone, line).startsWith("custom_envs.Game.env_type: "), line);
  }

  private static EnvConfig troubled(String trouble) {
    return new EnvConfig(
        "Game", "trouble", "trajectory", GAME.limits(), GAME.prompts(), Map.of("trouble", trouble));
  }

  /** A world that counts how often it was made ready. */
  private record Declared(CountingGame game, boolean safe, AtomicInteger configured)
      implements Environment {
    @Override
    public String description() {
      return game.description();
    }

    @Override
    public List<Option<?>> options() {
      return game.options();
    }

    @Override
    public boolean safeToReplay(Options options) {
      return safe && options.get(CountingGame.TARGET) == 8;
    }

    @Override
    public Scenario configure(Options options) {
      configured.incrementAndGet();
      return game.configure(options);
    }
  }

  @Test
  void whatOthersConfiguredIsPlayedOnlyIfItsWorldSaysThatThisIsSafe() throws InterruptedException {
    String line = TrajectoryLines.of(play(new CountingGame(), "train", GAME).trajectories().get(0));
    AtomicInteger configured = new AtomicInteger();
    var unused = plugins.with("roll.env", "counting", new Declared(game, false, configured));
    assertEquals(null, replay(GAME, line, true).otherwise());
    configured.set(0);
    String refusal = userError(() -> replay(GAME, line, false));
    assertEquals(
        "custom_envs.Game: 'counting' may start programs, query servers or read files, so"
            + " only episodes of this process can be replayed",
        refusal);
    assertEquals(0, configured.get());
    unused = plugins.with("roll.env", "counting", new Declared(game, true, configured));
    assertEquals(null, replay(GAME, line, false).otherwise());
    EnvConfig other = Games.game("Game", Map.of("target", 9));
    assertThrows(UserException.class, () -> replay(other, line, false));
    assertEquals(1, configured.get());
  }

  @Test
  void brokenLinesAreOneLine() throws InterruptedException {
    String line = TrajectoryLines.of(play(new CountingGame(), "train", GAME).trajectories().get(0));
    assertTrue(complaint(GAME, "").contains("the line is empty"));
    assertTrue(complaint(GAME, "{").startsWith("the line is not a trajectory: "));
    assertTrue(complaint(GAME, "{\"tag\":\"Game\"}").startsWith("the line lacks tag, finish"));
    assertTrue(
        complaint(GAME, line.replace("\"assistant\"", "\"user\""))
            .startsWith("the line has 0 responses, "));
    assertTrue(complaint(GAME, line.replace("\"seed\":", "\"seed\":\"x")).contains("line"));
  }
}
