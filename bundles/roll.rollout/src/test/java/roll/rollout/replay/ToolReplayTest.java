package roll.rollout.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.agent.AgentTools;
import roll.api.config.AgentConfig;
import roll.api.config.AgentConfig.Side;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.env.EpisodeStart;
import roll.api.image.Picture;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.ModelContext;
import roll.api.strategy.Generation;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.api.tool.ToolSet;
import roll.rollout.CharTokenizer;
import roll.rollout.CountingGame;
import roll.rollout.Games;
import roll.rollout.LineCallAgent;
import roll.rollout.chat.NamedChatFormats;
import roll.rollout.manager.TrajectoryEnvManager;
import roll.runtime.config.RunConfig;
import roll.runtime.option.YamlOptions;
import roll.runtime.replay.ReplayedEpisode;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.InMemoryPluginRegistry;

/** An episode with tools is replayed with their recorded results. */
@NullMarked
@Timeout(60)
class ToolReplayTest {
  /** Results are cut after four characters, and only two calls may be made. */
  private static final AgentConfig LIMITS =
      new AgentConfig("lines", Map.of("upper", Map.of()), 2, 9, true, 30, 4, Side.LEFT);

  private static final EnvConfig CONFIG =
      new EnvConfig(
          "Game",
          "counting",
          "trajectory",
          EnvLimits.steps(9),
          PromptConfig.of("{observation}"),
          Map.of("target", 9),
          List.of(),
          LIMITS);

  private final CharTokenizer tokenizer = CharTokenizer.chatMl();
  private final CountingGame game = new CountingGame();
  private final List<Picture> drawn = new ArrayList<>();
  private final RunConfig run;

  ToolReplayTest(@TempDir Path folder) {
    run = ExampleRunConfigs.small(folder, 1);
  }

  private Trajectory play(String... responses) throws InterruptedException {
    Deque<String> left = new ArrayDeque<>(List.of(responses));
    AgentTools kit =
        new AgentTools(
            LIMITS,
            new LineCallAgent(),
            List.of(
                ToolSet.of(
                    ToolSchema.of("upper", "Shouts.", Argument.text("text", "what")),
                    a -> ToolResult.of(String.valueOf(a.get("text")).toUpperCase(Locale.ROOT))),
                ToolSet.of(
                    ToolSchema.of("answer", "Ends.", Argument.text("text", "what")),
                    a -> ToolResult.finish(String.valueOf(a.get("text"))))));
    return new TrajectoryEnvManager()
        .play(
            new EpisodeContext(
                CONFIG,
                game.configure(YamlOptions.checked("env_config", CONFIG.options(), game.options())),
                new ModelContext(
                    new NamedChatFormats().find("chatml", tokenizer, Map.of()),
                    tokenizer,
                    (prompt, sampling, turn) -> said(left.remove() + "<|im_end|>"),
                    Games.SAMPLING,
                    4000),
                new TrajectoryKey("Game", 0, 0, 0, 6),
                EpisodeStart.of(6),
                kit,
                episode -> drawn.add(Picture.png(episode.render().orElseThrow()))));
  }

  private Generation said(String text) {
    int[] tokens = tokenizer.encode(text);
    return new Generation(tokens, new double[tokens.length], new double[tokens.length], true, 1);
  }

  private void sameAgain(Trajectory played, String finish) throws InterruptedException {
    assertEquals(finish, played.finish());
    InMemoryPluginRegistry plugins =
        new InMemoryPluginRegistry()
            .with("roll.env", "counting", game)
            .with("roll.agent.type", "lines", new LineCallAgent())
            .with("roll.env.manager", "trajectory", new TrajectoryEnvManager());
    try (RunChatFormat model = new RunChatFormat(run, new NamedChatFormats(), null)) {
      ReplayedEpisode again =
          new Replay(run, CONFIG, RecordedLine.episode(TrajectoryLines.of(played)))
              .play(() -> new ReplaySetup(plugins, CONFIG, model, 4000, true), model);
      assertEquals(null, again.otherwise());
      assertEquals(drawn, again.frames());
    }
    assertEquals(0, plugins.leased());
    assertEquals(0, game.open.get());
  }

  @Test
  void anAnswerAfterCallsThatWereCutAndRefused() throws InterruptedException {
    sameAgain(
        play("upper: lengthy\nnope: c", "+", "upper: a\nupper: b", "+", "+"), "no_tool_calls");
  }

  @Test
  void aToolThatEndsTheEpisode() throws InterruptedException {
    sameAgain(play("upper: a", "+", "answer: +", "unread"), "terminal");
  }
}
