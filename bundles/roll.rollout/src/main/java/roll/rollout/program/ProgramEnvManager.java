package roll.rollout.program;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.config.AgentRunnerConfig;
import roll.api.config.EnvConfig;
import roll.api.data.Trajectory;
import roll.api.env.Episode;
import roll.api.env.HarnessWorkspace;
import roll.api.option.UserException;
import roll.api.rollout.EnvManager;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.RollEnvManager;
import roll.openai.dialect.Dialects;
import roll.rollout.supervise.EnvironmentException;
import roll.rollout.supervise.EpisodeTrace;

/**
 * Episodes played by a program (ROLL's {@code ProxyEnvManager} with an {@code AgentRunner}). The
 * program sends any requests to the policy in one of the dialects, and ends with an answer, a
 * reward, or both.
 */
@Component(name = "roll.rollout.program")
@RollEnvManager({"program", "proxy"})
public final class ProgramEnvManager implements EnvManager {
  private final ProgramPool programs = new ProgramPool();
  private final Dialects dialects;
  private @Nullable AgentEndpoint endpoint;

  /** Creates the environment manager, whose programs speak {@code dialects}. */
  @Activate
  public ProgramEnvManager(@Reference Dialects dialects) {
    this.dialects = dialects;
  }

  @Override
  public void check(EnvConfig config) {
    AgentRunnerConfig runner = runner(config);
    if (!runner.harness()) { // the workspace of an environment may have other programs
      require(config, runner);
      requireScript(config, runner.command());
    }
  }

  /** Refuses a command whose first argument is a script that this machine does not have. */
  private static void requireScript(EnvConfig config, List<String> command) {
    command.stream()
        .skip(1)
        .filter(argument -> !argument.startsWith("-"))
        .findFirst()
        .filter(argument -> argument.matches("\\S+\\.(py|sh|js)") && !command.contains("-c"))
        .map(Path::of)
        .filter(script -> !Files.exists(script))
        .ifPresent(
            script -> {
              throw new UserException(
                  "custom_envs.%s.agent_runner.command: there is no file '%s' (%s)"
                      .formatted(config.tag(), script, script.toAbsolutePath().normalize()));
            });
  }

  /** Refuses a program that this machine does not have. */
  private static void require(EnvConfig config, AgentRunnerConfig runner) {
    String program = runner.command().getFirst();
    if (ProcessGroup.find(program, runner.environment().get("PATH")) == null) {
      throw new UserException(
          "custom_envs.%s.agent_runner.command: '%s' is not an executable %s"
              .formatted(config.tag(), program, program.indexOf('/') < 0 ? "on the PATH" : "file"));
    }
  }

  private static AgentRunnerConfig runner(EnvConfig config) {
    AgentRunnerConfig runner = config.runner();
    if (runner == null) {
      throw new UserException(
          "custom_envs.%s.env_manager_cls: program needs agent_runner.command"
              .formatted(config.tag()));
    }
    return runner;
  }

  @Override
  public Trajectory play(EpisodeContext context) throws InterruptedException {
    AgentRunnerConfig runner = runner(context.config());
    AgentEndpoint asked = endpoint();
    EpisodeTrace trace = EpisodeTrace.of(context.scenario());
    try (Episode episode = context.scenario().reset(context.start());
        RunTools tools =
            context.agent() == null
                ? null
                : new RunTools(context.agent(), context.key().seed(), trace)) {
      context.recorder().look(episode);
      AgentSession session = new AgentSession(context, tools, trace);
      String key = asked.open(session);
      try {
        AgentTask task = AgentTask.of(context, episode, tools, asked.url(), key, trace);
        AgentResult result;
        try (AgentRun run = run(context, runner, episode, key, task)) {
          result = result(runner, session, run);
        }
        return new ProgramEpisode(context, episode, session).trajectory(result);
      } finally {
        asked.end(key);
      }
    }
  }

  private AgentRun run(
      EpisodeContext context, AgentRunnerConfig runner, Episode episode, String key, AgentTask task)
      throws InterruptedException {
    String name = context.key().id();
    HarnessWorkspace place = runner.harness() ? episode.workspace().orElse(null) : null;
    if (place != null) {
      return WorkspaceRun.start(name, place, runner, task);
    }
    require(context.config(), runner);
    return programs.play(runner, key, name, task);
  }

  /**
   * Serves the requests of {@code run} to its end. A harness that fails because no room or requests
   * are left, or that takes too long, has played its episode.
   */
  private static AgentResult result(AgentRunnerConfig runner, AgentSession session, AgentRun run)
      throws InterruptedException {
    try {
      session.serve(run, runner.timeout());
    } catch (EnvironmentException e) {
      if (runner.harness() && e.timeout()) {
        return AgentResult.NONE;
      }
      throw e;
    }
    return runner.harness() && session.exhausted() ? AgentResult.NONE : run.result();
  }

  private synchronized AgentEndpoint endpoint() {
    AgentEndpoint known = endpoint;
    if (known == null) {
      known = new AgentEndpoint(dialects);
      endpoint = known;
    }
    return known;
  }

  /** Closes the endpoint and ends the programs. */
  @Deactivate
  synchronized void close() {
    if (endpoint != null) {
      endpoint.close();
      endpoint = null;
    }
    programs.close();
  }
}
