package roll.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.config.LoadedConfig;
import roll.api.config.RunConfig;
import roll.api.config.UserException;
import roll.api.model.TokenizerLoader;
import roll.api.pipeline.Plan;
import roll.api.pipeline.Rollouts;
import roll.api.pipeline.TrainingRun.Outcome;
import roll.api.plugin.Plugins;

/** Step after step until the last one or until it is asked to stop; saves what must not be lost. */
final class Pipeline {
  private final AtomicReference<LoadedConfig> config;
  private final Plugins plugins;
  private final Rollouts rollouts;
  private final TokenizerLoader tokenizers;
  private final RunLog log;
  private final Orders orders;
  private final Progress progress;
  private final Checkpoints checkpoints;
  private final KlController controller;
  private final Staleness staleness = new Staleness();
  private final Plan plan;
  private Map<String, Double> metrics = new LinkedHashMap<>();
  private int done;
  private int saved = -1;

  /**
   * Of one run.
   *
   * @param plan what it is expected to hold
   */
  Pipeline(
      LoadedConfig loaded,
      Plugins plugins,
      Rollouts rollouts,
      TokenizerLoader tokenizers,
      Plan plan,
      RunLog log,
      Orders orders,
      Progress progress) {
    this.config = new AtomicReference<>(loaded);
    this.plugins = plugins;
    this.rollouts = rollouts;
    this.tokenizers = tokenizers;
    this.plan = plan;
    this.log = log;
    this.orders = orders;
    this.progress = progress;
    checkpoints = new Checkpoints(run().outputDir(), run().schedule().maxCkptToKeep());
    controller = new KlController(run().algorithm().kl());
  }

  /** The configuration as it is from step to step. */
  private RunConfig run() {
    return config.get().run();
  }

  /** Runs to the end; the output folder is already ours. */
  Outcome perform() throws InterruptedException {
    try {
      Path from = resumeFrom();
      if (from != null) {
        Checkpoints.State state = Checkpoints.read(from);
        done = state.step();
        saved = done;
        controller.restore(state.klCoefficient());
        log.line("resuming from " + from + " after step " + done);
      }
      progress.done(done, run().schedule().maxSteps(), metrics);
      try (Crew crew = Crew.open(this::run, plugins, rollouts, tokenizers);
          Trackers trackers = new Trackers(plugins)) {
        trackers.takeUp(run(), done);
        Boundary.write(config.get());
        if (from != null) {
          crew.restore(from);
        }
        return steps(crew, trackers);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private @Nullable Path resumeFrom() throws IOException {
    Path named = run().schedule().resumeFrom();
    if (named != null && !Files.isDirectory(named)) {
      throw new UserException("resume_from_checkpoint: folder " + named + " does not exist");
    }
    return named == null && run().schedule().resume() ? checkpoints.newest() : named;
  }

  private Outcome steps(Crew crew, Trackers trackers) throws InterruptedException, IOException {
    int first = done;
    Throughput throughput = new Throughput();
    Streak streak = new Streak(run().schedule().maxSkippedSteps());
    Consumer<String> notices = notices(trackers);
    Boundary boundary =
        new Boundary(config, orders, progress, plugins, crew, trackers, log, () -> save(crew));
    while (done < run().schedule().maxSteps()) {
      try (Served served = boundary.pass(done, notices)) {
        if (served == null) {
          break;
        }
        crew.useLoss(served.loss().service());
        metrics = new LinkedHashMap<>();
        metrics.put("system/swaps", (double) boundary.replaced());
        long start = System.nanoTime();
        Step step = step(crew, notices, done);
        step.perform(served.estimator().service());
        streak.add(step.inspection());
        done++;
        throughput.add(metrics, done, run(), (System.nanoTime() - start) / 1e9);
      } finally {
        crew.useLoss(null);
      }
      int period = run().schedule().saveSteps();
      if (((period > 0 && done % period == 0) || streak.tooLong()) && !streak.modelBroken()) {
        save(crew);
      }
      trackers.log(done - 1, metrics);
      progress.done(done, run().schedule().maxSteps(), metrics);
      if (streak.tooLong()) {
        trackers.flush();
        throw streak.failure(saved);
      }
    }
    if (saved != done && !streak.modelBroken()) {
      save(crew);
    }
    int last = run().schedule().maxSteps();
    if (done == last && first < last && run().schedule().evalSteps() > 0) {
      metrics = new LinkedHashMap<>(finalValidation(crew, trackers));
    }
    trackers.flush();
    return new Outcome(done, done < last, metrics);
  }

  private Step step(Crew crew, Consumer<String> notices, int number) {
    return new Step(
        run(), crew, controller, staleness, metrics, log, progress, notices, plan, number);
  }

  /** Where notices go: into the log and to the trackers. */
  private Consumer<String> notices(Trackers trackers) {
    return notice -> {
      log.line(notice);
      trackers.notice(notice);
    };
  }

  /** Validates the finished policy; its metrics are those of the step after the last. */
  private Map<String, Double> finalValidation(Crew crew, Trackers trackers)
      throws InterruptedException {
    metrics = new LinkedHashMap<>();
    Step step = step(crew, notices(trackers), done);
    step.shareWeights();
    step.validate();
    trackers.log(done, metrics);
    return metrics;
  }

  /** Saves what is complete, if that has not been done; the checkpoint. */
  private Path save(Crew crew) throws InterruptedException, IOException {
    if (saved == done && Files.isDirectory(checkpoints.of(done))) {
      return checkpoints.of(done);
    }
    long start = System.nanoTime();
    Path place =
        checkpoints.save(
            new Checkpoints.State(done, controller.coefficient(), run().seed()),
            folder -> crew.save(folder, metrics));
    saved = done;
    metrics.put("time/step_checkpoint", (System.nanoTime() - start) / 1e9);
    log.line("saved " + place);
    return place;
  }
}
