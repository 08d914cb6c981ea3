package roll.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.api.plugin.Plugins;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.Plan;
import roll.runtime.pipeline.Rollouts;
import roll.runtime.pipeline.TrainingRun.Outcome;

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
  private final OutputFolder folder;
  private Map<String, Double> metrics = new LinkedHashMap<>();
  private int done;

  /**
   * Of one run.
   *
   * @param plan what it is expected to hold
   * @param folder that it writes into, held
   */
  Pipeline(
      LoadedConfig loaded,
      Plugins plugins,
      Rollouts rollouts,
      TokenizerLoader tokenizers,
      Plan plan,
      RunLog log,
      Orders orders,
      Progress progress,
      OutputFolder folder) {
    this.config = new AtomicReference<>(loaded);
    this.plugins = plugins;
    this.rollouts = rollouts;
    this.tokenizers = tokenizers;
    this.plan = plan;
    this.log = log;
    this.orders = orders;
    this.progress = progress;
    this.folder = folder;
    checkpoints = new Checkpoints(run().outputDir(), run().schedule().maxCkptToKeep());
    controller = new KlController(run().algorithm().kl());
  }

  /** The configuration as it is from step to step. */
  private RunConfig run() {
    return config.get().run();
  }

  /**
   * Runs to the end; the output folder is already ours. What is refused before the log is begun has
   * changed nothing there.
   */
  Outcome perform() throws InterruptedException {
    try {
      Resumption begin = Resumption.of(run(), checkpoints);
      done = begin.state().step();
      controller.restore(begin.state().klCoefficient());
      progress.done(done, run().schedule().maxSteps(), metrics);
      DiskSpace disk = DiskSpace.of(checkpoints, plan);
      disk.require();
      try (Crew crew = Crew.open(this::run, plugins, rollouts, tokenizers);
          Trackers trackers = new Trackers(plugins, log);
          Saver saver = Saver.of(run(), begin, checkpoints, disk, crew, log)) {
        if (begin.from() != null) {
          crew.restore(begin.from());
        }
        trackers.takeUp(run(), done);
        log.begin();
        List<String> notices = begin.settle(checkpoints);
        CutBack.to(run().outputDir(), done);
        Boundary.write(config.get());
        notices.forEach(notices(trackers));
        return steps(crew, trackers, saver, begin.state().skipped());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Outcome steps(Crew crew, Trackers trackers, Saver saver, int skipped)
      throws InterruptedException, IOException {
    Streak streak = new Streak(run().schedule().maxSkippedSteps(), skipped);
    Rescue rescue = new Rescue(folder, crew, log);
    try {
      return steps(crew, trackers, saver, streak, rescue);
    } catch (UserException e) {
      require(rescue, streak); // else what could not be written says little
      throw e;
    } catch (IOException | UncheckedIOException e) {
      require(rescue, streak);
      throw rescue.told(e);
    }
  }

  private Outcome steps(Crew crew, Trackers trackers, Saver saver, Streak streak, Rescue rescue)
      throws InterruptedException, IOException {
    Throughput throughput = new Throughput();
    Consumer<String> notices = notices(trackers);
    Boundary boundary =
        new Boundary(
            config,
            orders,
            progress,
            plugins,
            crew,
            trackers,
            log,
            () -> saver.save(state(streak), metrics));
    while (done < run().schedule().maxSteps()) {
      require(rescue, streak);
      saver.check();
      try (Served served = boundary.pass(done, notices)) {
        if (served == null) {
          break;
        }
        crew.useLoss(SupervisedLoss.of(served.loss(), run().algorithm().loss().loss()));
        metrics = new LinkedHashMap<>();
        metrics.put("system/swaps", (double) boundary.replaced());
        long start = System.nanoTime();
        Step step = step(crew, notices, done);
        step.perform(SupervisedEstimator.of(served.estimator(), run().algorithm().estimator()));
        streak.add(step.inspection());
        done++;
        throughput.add(metrics, done, run(), (System.nanoTime() - start) / 1e9);
      } finally {
        crew.useLoss(null);
      }
      boolean saves = (due() || streak.tooLong()) && !streak.modelBroken();
      if (saves) {
        saver.take(state(streak), metrics);
      }
      trackers.log(done - 1, metrics);
      progress.done(done, run().schedule().maxSteps(), metrics);
      if (saves) {
        trackers.flush(); // the checkpoint is seen after the metrics of its steps
        saver.release();
      }
      if (streak.tooLong()) {
        trackers.flush();
        throw streak.failure(saver.finish());
      }
    }
    require(rescue, streak);
    boolean complete = done == run().schedule().maxSteps();
    if (!complete || run().schedule().savesAfter(done)) {
      trackers.flush();
      if (streak.modelBroken()) {
        throw streak.unsaved(saver.finish());
      }
      saver.save(state(streak), metrics);
    }
    saver.finish();
    if (complete && run().schedule().evalSteps() > 0) {
      metrics = new LinkedHashMap<>(finalValidation(crew, trackers));
    }
    trackers.flush();
    require(rescue, streak);
    return new Outcome(done, done < run().schedule().maxSteps(), metrics);
  }

  private void require(Rescue rescue, Streak streak) throws InterruptedException {
    rescue.require(streak.modelBroken() ? null : state(streak), metrics);
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

  private boolean due() {
    return orders.stopped() || run().schedule().savesAfter(done);
  }

  private Checkpoints.State state(Streak streak) {
    return new Checkpoints.State(done, controller.coefficient(), run().seed(), streak.length());
  }
}
