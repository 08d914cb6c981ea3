package roll.core.rollout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.api.plugin.OneShotTask;
import roll.api.plugin.Plugins;
import roll.api.strategy.Generator;
import roll.core.output.OutputFolder;
import roll.core.output.RunLog;
import roll.core.role.Futures;
import roll.core.role.WorkerGroup;
import roll.core.trajectory.EpisodeGifs;
import roll.core.trajectory.TrajectoryFiles;
import roll.core.trajectory.UnknownTokenNotice;
import roll.runtime.pipeline.EpisodeFault;
import roll.runtime.pipeline.RewardModel;
import roll.runtime.pipeline.RolloutResult;
import roll.runtime.pipeline.RolloutRun;
import roll.runtime.pipeline.Rollouts;
import roll.runtime.trace.TraceScope;
import roll.runtime.trace.Tracer;

/** A rollout on a thread of its own; its episodes are saved however it ends. */
final class RolloutJob implements RolloutRun {
  private final PreparedRollout order;
  private final List<String> notices;
  private final OutputFolder folder;
  private final RunLog log;
  private final FinishedEpisodes played = new FinishedEpisodes();
  private final TraceScope traces = new Tracer(() -> null).scope(TraceScope.TRAIN);
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
  private @Nullable CompletableFuture<RolloutResult> playing;
  private boolean stopped;

  private RolloutJob(PreparedRollout order, List<String> notices, OutputFolder folder, RunLog log) {
    this.order = order;
    this.notices = List.copyOf(notices);
    this.folder = folder;
    this.log = log;
  }

  /**
   * Locks the output folder and starts the rollout; {@code notices} are logged.
   *
   * @param tokenizers null only where no model writes
   */
  static RolloutJob start(
      PreparedRollout order,
      List<String> notices,
      Plugins plugins,
      Rollouts rollouts,
      @Nullable TokenizerLoader tokenizers) {
    OutputFolder folder = OutputFolder.takeNew(order.run().outputDir());
    RolloutJob job =
        new RolloutJob(order, notices, folder, RunLog.later(folder.path(), order.run()));
    notices.forEach(job.log::line);
    Thread.ofPlatform()
        .name("roll-rollout")
        .start(new OneShotTask(() -> job.work(plugins, rollouts, tokenizers)));
    return job;
  }

  private void work(Plugins plugins, Rollouts rollouts, @Nullable TokenizerLoader tokenizers) {
    Outcome result = null;
    Throwable failure = null;
    try {
      result = perform(plugins, rollouts, tokenizers);
      log.line("ended");
    } catch (UserException e) {
      failure = e;
      log.line("refused: " + e.getMessage());
    } catch (Throwable e) {
      failure = e;
      log.failure("failed", e);
    }
    order.tokenizer().close();
    folder.end(log);
    if (result != null) {
      outcome.complete(result);
    } else if (failure != null) {
      outcome.completeExceptionally(failure);
    }
  }

  private Outcome perform(Plugins plugins, Rollouts rollouts, @Nullable TokenizerLoader tokenizers)
      throws InterruptedException, IOException {
    if (tokenizers == null || order.roles().isEmpty()) {
      return play(
          rollouts,
          requests -> CompletableFuture.failedFuture(new IllegalStateException()),
          Map.of());
    }
    try (WorkerGroup workers =
        WorkerGroup.open(order.roles(), order::run, plugins, rollouts, tokenizers)) {
      return play(rollouts, workers.policy(), workers.rewardModels());
    }
  }

  private Outcome play(Rollouts rollouts, Generator policy, Map<String, RewardModel> models)
      throws InterruptedException, IOException {
    log.begin();
    Files.writeString(folder.path().resolve("config.yaml"), order.config().effectiveYaml());
    log.line("playing " + order.episodes() + " episodes by " + order.envs().proxy().type());
    long begun = System.nanoTime();
    try {
      RolloutResult result = Futures.await(begin(rollouts, policy, models));
      double seconds = (System.nanoTime() - begun) / 1e9;
      result.faults().forEach(fault -> log.line(fault.problem() + "\n" + fault.stack()));
      List<String> unknown = UnknownTokenNotice.lines(result.trajectories(), order.tokenizer());
      unknown.forEach(log::line);
      new TrajectoryFiles(folder.path(), order.tokenizer()).write(0, result.trajectories(), traces);
      EpisodeGifs.write(order.run(), 0, result.pictures());
      return new Outcome(
          TagSummary.of(result.trajectories(), tag -> OptionalInt.of(failed(result, tag))),
          seconds,
          false,
          Stream.concat(unknown.stream(), result.faults().stream().map(EpisodeFault::problem))
              .toList());
    } catch (CancellationException e) {
      double seconds = (System.nanoTime() - begun) / 1e9;
      played.save(order.run(), folder.path(), order.tokenizer(), traces);
      return new Outcome(
          TagSummary.of(played.trajectories(), tag -> OptionalInt.empty()),
          seconds,
          true,
          List.of());
    } catch (RuntimeException e) {
      played.save(order.run(), folder.path(), order.tokenizer(), traces);
      throw e;
    }
  }

  private static int failed(RolloutResult result, String tag) {
    double failures = result.metrics().getOrDefault("env/" + tag + "/failures", 0.0);
    double timeouts = result.metrics().getOrDefault("env/" + tag + "/timeouts", 0.0);
    double ungraded = result.metrics().getOrDefault("env/" + tag + "/" + Trajectory.UNGRADED, 0.0);
    return (int) (failures + timeouts + ungraded);
  }

  private synchronized CompletableFuture<RolloutResult> begin(
      Rollouts rollouts, Generator policy, Map<String, RewardModel> models) {
    if (stopped) {
      throw new CancellationException();
    }
    playing = rollouts.play(order.request(policy, models).traced(traces), played);
    return playing;
  }

  @Override
  public synchronized void stop() {
    stopped = true;
    if (playing != null) {
      playing.cancel(true);
    }
  }

  @Override
  public List<String> notices() {
    return notices;
  }

  @Override
  public Path folder() {
    return folder.path();
  }

  @Override
  public CompletableFuture<Outcome> outcome() {
    return outcome.copy();
  }
}
