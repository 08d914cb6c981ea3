package roll.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import roll.api.config.LoadedConfig;
import roll.api.config.RunConfig;
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

  /** Steps of the newest checkpoint, also of one under way. */
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
      Resumption begin = Resumption.of(run(), checkpoints);
      done = begin.state().step();
      saved = begin.from() == null ? -1 : done;
      controller.restore(begin.state().klCoefficient());
      progress.done(done, run().schedule().maxSteps(), metrics);
      DiskSpace disk = DiskSpace.of(checkpoints, plan);
      disk.require();
      try (Crew crew = Crew.open(this::run, plugins, rollouts, tokenizers);
          Trackers trackers = new Trackers(plugins);
          Saver saver = Saver.of(run(), begin, checkpoints, disk, crew, log)) {
        trackers.takeUp(run(), done);
        Boundary.write(config.get());
        CutBack.to(run().outputDir(), done);
        begin.notices().forEach(notices(trackers));
        if (begin.from() != null) {
          crew.restore(begin.from());
        }
        return steps(crew, trackers, saver, begin);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Outcome steps(Crew crew, Trackers trackers, Saver saver, Resumption begin)
      throws InterruptedException, IOException {
    Throughput throughput = new Throughput();
    Streak streak = new Streak(run().schedule().maxSkippedSteps(), begin.state().skipped());
    Consumer<String> notices = notices(trackers);
    Boundary.Saving handover =
        () -> {
          if (saved != done || !Files.isDirectory(checkpoints.of(done))) {
            take(saver, streak);
            release(saver, trackers);
          }
          saver.finish();
          return checkpoints.of(done);
        };
    Boundary boundary =
        new Boundary(config, orders, progress, plugins, crew, trackers, log, handover);
    while (done < run().schedule().maxSteps()) {
      saver.check();
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
      boolean saves = saves(streak);
      if (saves) {
        take(saver, streak);
      }
      trackers.log(done - 1, metrics);
      progress.done(done, run().schedule().maxSteps(), metrics);
      if (saves) {
        release(saver, trackers);
      }
      if (streak.tooLong()) {
        trackers.flush();
        throw streak.failure(saver.finish());
      }
    }
    if (saved != done && !streak.modelBroken()) {
      take(saver, streak);
      release(saver, trackers);
    }
    int last = run().schedule().maxSteps();
    if (done == last && run().schedule().evalSteps() > 0) {
      metrics = new LinkedHashMap<>(finalValidation(crew, notices, trackers));
    }
    saver.finish();
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

  /** Whether what is complete is to be saved now. */
  private boolean saves(Streak streak) {
    int period = run().schedule().saveSteps();
    boolean due = period > 0 && done % period == 0;
    boolean ends = done == run().schedule().maxSteps() || orders.stopped();
    return (due || ends || streak.tooLong()) && !streak.modelBroken();
  }

  private void take(Saver saver, Streak streak) throws InterruptedException, IOException {
    saver.take(
        new Checkpoints.State(done, controller.coefficient(), run().seed(), streak.length()),
        metrics);
    saved = done;
  }

  /** A checkpoint is seen after the metrics of its steps. */
  private static void release(Saver saver, Trackers trackers) {
    trackers.flush();
    saver.release();
  }

  /** Validates the finished policy; its metrics are those of the step after the last. */
  private Map<String, Double> finalValidation(
      Crew crew, Consumer<String> notices, Trackers trackers) throws InterruptedException {
    metrics = new LinkedHashMap<>();
    Step step = step(crew, notices, done);
    step.shareWeights();
    step.validate();
    trackers.log(done, metrics);
    return metrics;
  }
}
