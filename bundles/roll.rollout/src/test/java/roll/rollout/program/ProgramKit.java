package roll.rollout.program;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import roll.api.config.AgentRunnerConfig;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.env.Environment;
import roll.rollout.CountingGame;
import roll.rollout.Games;
import roll.rollout.RolloutService;
import roll.rollout.TablePolicy;
import roll.rollout.chat.NamedChatFormats;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;
import roll.template.FolderChatTemplates;
import roll.testkit.InMemoryPluginRegistry;

/** Rollouts of the counting game that programs play. */
@NullMarked
final class ProgramKit implements AutoCloseable {
  private static final String PYTHON = "/usr/bin/python3";

  final CountingGame game;
  final TablePolicy policy = new TablePolicy(0.75);
  final ProgramEnvManager manager = new ProgramEnvManager(ChatKit.dialects());
  final RolloutService service;

  ProgramKit() {
    this(new CountingGame());
  }

  private ProgramKit(CountingGame game) {
    this(game, game);
  }

  /** Plays {@code world} instead of the counting game. */
  static ProgramKit of(Environment world) {
    return new ProgramKit(new CountingGame(), world);
  }

  private ProgramKit(CountingGame game, Environment world) {
    this.game = game;
    service =
        new RolloutService(
            new NamedChatFormats(new FolderChatTemplates()),
            new InMemoryPluginRegistry()
                .with("roll.env", "counting", world)
                .with("roll.env.manager", "program", manager));
  }

  /**
   * The command that runs {@code script}, a resource beside this class, copied to {@code folder}.
   */
  static List<String> python(Path folder, String script, String... arguments) throws IOException {
    assumeTrue(Files.isExecutable(Path.of(PYTHON)), "no " + PYTHON);
    Path copy = folder.resolve(script);
    if (!Files.exists(copy)) {
      try (InputStream in =
          Objects.requireNonNull(ProgramKit.class.getResourceAsStream(script), script)) {
        Files.copy(in, copy);
      }
    }
    List<String> command = new ArrayList<>(List.of(PYTHON, copy.toString()));
    command.addAll(List.of(arguments));
    return command;
  }

  static EnvConfig env(AgentRunnerConfig runner) {
    return new EnvConfig(
        "A",
        "counting",
        "program",
        EnvLimits.steps(5),
        PromptConfig.of("{observation}"),
        Map.of(),
        List.of(),
        null,
        runner);
  }

  /** Plays groups of {@code size} to their end. */
  RolloutResult play(AgentRunnerConfig runner, int groups, int size) {
    return service.play(request(runner, groups, size)).join();
  }

  RolloutRequest request(AgentRunnerConfig runner, int groups, int size) {
    return Games.request(
        "train",
        groups * size,
        Games.envs(List.of("A"), List.of(groups), size),
        policy,
        new EnvMonitorConfig(60, 1, 3),
        env(runner));
  }

  @Override
  public void close() {
    manager.close();
  }
}
