package roll.rollout.replay;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentType;
import roll.api.config.AgentConfig;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.EnvLimits.CutResponses;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.option.UserException;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.ModelContext;
import roll.rollout.replay.RecordedPolicy.EndOfRecording;
import roll.rollout.supervise.Attempt;
import roll.rollout.supervise.EnvironmentException;
import roll.rollout.supervise.EpisodePermit;
import roll.rollout.supervise.EpisodeSlot;
import roll.rollout.supervise.ResponseReplay;
import roll.rollout.supervise.SupervisedAgent;
import roll.rollout.supervise.SupervisedScenario;
import roll.rollout.supervise.Watchdog;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.replay.ReplayedEpisode;
import roll.text.OneLine;

/**
 * A replay of an episode, by its environment manager and under the same supervision.
 *
 * @param run configuration of the run
 * @param config configuration of the environment
 * @param episode the recorded episode
 */
record Replay(RunConfig run, EnvConfig config, RecordedEpisode episode) {
  private static final EnvMonitorConfig TIME_LIMITS = new EnvMonitorConfig(10, 10, 0, 1);
  private static final long MOST_SECONDS = 30;
  private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(2);

  /**
   * Maximum number of draws searched for the recorded seed; filtered and lost groups are drawn
   * again.
   */
  private static final int MOST_DRAWS = 1000;

  /**
   * Plays the episode with the plugins of {@code setup}. Its thread has ended, or is abandoned, on
   * return.
   *
   * @throws UserException if it fails, takes too long or cannot be rendered
   */
  ReplayedEpisode play(Supplier<ReplaySetup> setup, RunChatFormat model)
      throws InterruptedException {
    FrameRecorder frames = new FrameRecorder(where());
    RecordedPolicy policy = new RecordedPolicy(episode, model::seen);
    Attempt attempt =
        new Attempt(
            slot(), 0, new EpisodePermit(null), new EpisodePermit(null), ResponseReplay.none());
    CompletableFuture<Optional<Trajectory>> result = new CompletableFuture<>();
    try (Watchdog watchdog =
        new Watchdog(
            TIME_LIMITS, ended -> result.completeExceptionally(failure(ended.failure())))) {
      watchdog.add(attempt);
      attempt.start(() -> perform(setup, using -> context(using, policy, attempt, frames), result));
      Optional<Trajectory> played = result.get(MOST_SECONDS, TimeUnit.SECONDS);
      return replayed(played.orElse(null), frames);
    } catch (TimeoutException e) {
      throw new UserException(where() + " took longer than " + MOST_SECONDS + " s", e);
    } catch (ExecutionException e) {
      throw said(e.getCause() == null ? e : e.getCause());
    } finally {
      end(attempt);
    }
  }

  /** Returns the failure of a call that hung. */
  private static Throwable failure(@Nullable Throwable hung) {
    return hung == null ? new IllegalStateException("a call hung") : hung;
  }

  private static void perform(
      Supplier<ReplaySetup> setup,
      Function<ReplaySetup, EpisodeContext> context,
      CompletableFuture<Optional<Trajectory>> result) {
    try (ReplaySetup using = setup.get()) {
      result.complete(Optional.of(using.manager().play(context.apply(using))));
    } catch (EndOfRecording e) {
      result.complete(Optional.empty());
    } catch (Throwable e) { // an environment may throw anything; the future must complete
      result.completeExceptionally(e);
    }
  }

  private static void end(Attempt attempt) throws InterruptedException {
    Thread thread = attempt.thread();
    if (attempt.close()) {
      attempt.interrupt();
    }
    if (thread != null) {
      var unused = thread.join(JOIN_TIMEOUT);
    }
  }

  private ReplayedEpisode replayed(@Nullable Trajectory played, FrameRecorder frames) {
    if (played == null && !episode.turns().isEmpty()) {
      throw new UserException(
          "%s: the environment manager '%s' continues after the recorded end"
              .formatted(where(), config.manager()));
    }
    String otherwise =
        played == null
            ? null
            : ReplayMismatch.of(
                episode,
                played,
                !config.rewards().isEmpty() || config.limits().cut() == CutResponses.FAIL);
    return new ReplayedEpisode(otherwise == null ? frames.pictures() : List.of(), otherwise);
  }

  private UserException said(Throwable failure) {
    return switch (failure) {
      case UserException known -> new UserException(known.getMessage(), known);
      case EnvironmentException world ->
          new UserException(where() + ": " + world.getMessage(), world);
      default -> new UserException(where() + ": " + OneLine.of(failure), failure);
    };
  }

  private String where() {
    return "custom_envs.%s (%s)".formatted(config.tag(), config.envType());
  }

  private String purpose() {
    return episode.training() ? "train" : "val";
  }

  private EnvManagerConfig envs() {
    return episode.training() ? run.rollout().trainEnvs() : run.rollout().valEnvs();
  }

  /** Returns the slot of the episode; its draw is found by the seed. */
  private EpisodeSlot slot() {
    TrajectoryKey key = episode.key();
    int draw =
        IntStream.range(0, MOST_DRAWS)
            .filter(drawn -> key.seed() == seed(key, drawn))
            .findFirst()
            .orElse(0); // of a run with another seed: a mismatch shows if that matters
    return new EpisodeSlot(key.tag(), key.group(), key.episode(), draw, key.member(), key.seed());
  }

  private long seed(TrajectoryKey key, int draw) {
    return EpisodeSlot.seed(run.seed(), purpose(), key.group(), key.episode(), draw);
  }

  private EpisodeContext context(
      ReplaySetup setup, RecordedPolicy policy, Attempt attempt, FrameRecorder frames) {
    AgentType type = setup.agent();
    AgentConfig agent = config.agent();
    return new EpisodeContext(
        recorded(),
        new SupervisedScenario(setup.scenario(), attempt, begun -> {}),
        new ModelContext(
            new EmptyChatFormat(),
            new EmptyChatFormat.EmptyTokenizer(),
            policy,
            envs().sampling(),
            Integer.MAX_VALUE),
        episode.key(),
        attempt.slot().start(purpose(), run.seed(), envs()),
        type == null || agent == null
            ? null
            : SupervisedAgent.kit(RecordedTools.kit(agent, type, episode, policy), attempt),
        frames);
  }

  /** Returns the configuration with {@code max_steps} set to the recorded number of turns. */
  private EnvConfig recorded() {
    if (config.runner() != null) {
      throw new UserException(where() + ": episodes of programs cannot be replayed");
    }
    EnvLimits limits = config.limits();
    return new EnvConfig(
        config.tag(),
        config.envType(),
        config.manager(),
        new EnvLimits(Math.max(1, episode.turns().size()), limits.maxTokensPerStep(), 0),
        config.prompts(),
        config.options(),
        config.rewards(),
        config.agent());
  }
}
