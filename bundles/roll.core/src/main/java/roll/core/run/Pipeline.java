package roll.core.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import roll.api.loss.LossSettings;
import roll.api.loss.PolicyLoss;
import roll.api.model.TokenizerLoader;
import roll.api.plugin.Plugins;
import roll.core.checkpoint.CheckpointRescue;
import roll.core.checkpoint.CheckpointSaver;
import roll.core.checkpoint.Checkpoints;
import roll.core.checkpoint.DiskSpace;
import roll.core.checkpoint.PipelineState;
import roll.core.checkpoint.ResumePoint;
import roll.core.curriculum.LevelMix;
import roll.core.output.CheckpointFolder;
import roll.core.output.OutputFolder;
import roll.core.output.RunLog;
import roll.core.plugin.GuardedEstimator;
import roll.core.plugin.GuardedLoss;
import roll.core.plugin.StepPlugins;
import roll.core.report.CompositeTracking;
import roll.core.report.IdleShares;
import roll.core.report.MachineUse;
import roll.core.report.MetricAliases;
import roll.core.report.RunProgress;
import roll.core.report.Throughput;
import roll.core.role.WorkerGroup;
import roll.core.step.KlController;
import roll.core.step.SkippedSteps;
import roll.core.step.Staleness;
import roll.core.step.TrainingStep;
import roll.core.swap.RunControl;
import roll.core.swap.StepBoundary;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.option.LossOptions;
import roll.runtime.pipeline.MemoryPlan;
import roll.runtime.pipeline.Rollouts;
import roll.runtime.pipeline.TrainingRun.Outcome;
import roll.runtime.worker.BoundLoss;

/** Step after step until the last one or until it is asked to stop; saves what must not be lost. */
final class Pipeline {
  private final AtomicReference<LoadedConfig> config;
  private final Plugins plugins;
  private final Rollouts rollouts;
  private final TokenizerLoader tokenizers;
  private final RunLog log;
  private final RunControl control;
  private final RunProgress progress;
  private final Checkpoints checkpoints;
  private final KlController controller;
  private LevelMix levels = new LevelMix(null);
  private final Staleness staleness = new Staleness();
  private final MemoryPlan plan;
  private final OutputFolder folder;
  private final MetricAliases aliases;
  private Map<String, Double> metrics = new LinkedHashMap<>();
  private int done;

  /**
   * Creates the training pipeline of one run.
   *
   * @param plan its memory plan
   * @param folder its locked output folder
   */
  Pipeline(
      LoadedConfig loaded,
      Plugins plugins,
      Rollouts rollouts,
      TokenizerLoader tokenizers,
      MemoryPlan plan,
      RunLog log,
      RunControl control,
      RunProgress progress,
      OutputFolder folder) {
    this.config = new AtomicReference<>(loaded);
    this.plugins = plugins;
    this.rollouts = rollouts;
    this.tokenizers = tokenizers;
    this.plan = plan;
    this.log = log;
    this.control = control;
    this.progress = progress;
    this.folder = folder;
    checkpoints =
        new Checkpoints(run().checkpointFolder(), run().schedule().checkpoints().maxCkptToKeep());
    controller = new KlController(run().algorithm().kl());
    aliases = MetricAliases.of(run().tracking());
  }

  /** The current configuration of the run, which may change between steps. */
  private RunConfig run() {
    return config.get().run();
  }

  /**
   * Runs to the end; the output folder is already ours. What is refused before the log is begun has
   * changed nothing there.
   */
  Outcome perform() throws InterruptedException {
    try (CheckpointFolder _ = CheckpointFolder.take(run())) {
      ResumePoint begin = ResumePoint.of(run(), checkpoints);
      done = begin.state().step();
      controller.restore(begin.state().klCoefficient());
      staleness.restore(begin.state().shared());
      levels = new LevelMix(begin.state().curriculum());
      progress.done(done, run().schedule().maxSteps(), metrics);
      DiskSpace disk = DiskSpace.of(checkpoints, plan);
      disk.require();
      try (CompositeTracking trackers = new CompositeTracking(plugins, log);
          WorkerGroup workers =
              WorkerGroup.open(this::run, plugins, rollouts, tokenizers, trackers.tracer());
          CheckpointSaver saver =
              CheckpointSaver.of(run(), begin, checkpoints, disk, workers, log)) {
        begin.start(config.get(), checkpoints, workers, trackers, log).forEach(notices(trackers));
        return trackers.perform(
            () -> steps(workers, trackers, saver, begin.state().skipped()), () -> done);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Outcome steps(
      WorkerGroup workers, CompositeTracking trackers, CheckpointSaver saver, int skipped)
      throws InterruptedException {
    SkippedSteps skippedSteps = new SkippedSteps(run().schedule().maxSkippedSteps(), skipped);
    CheckpointRescue rescue =
        new CheckpointRescue(
            folder,
            checkpoints,
            workers,
            log,
            () -> skippedSteps.modelBroken() ? null : state(skippedSteps),
            () -> metrics);
    return rescue.perform(() -> steps(workers, trackers, saver, skippedSteps, rescue));
  }

  private Outcome steps(
      WorkerGroup workers,
      CompositeTracking trackers,
      CheckpointSaver saver,
      SkippedSteps skippedSteps,
      CheckpointRescue rescue)
      throws InterruptedException, IOException {
    Throughput throughput = new Throughput();
    MachineUse machine = new MachineUse(run().outputDir());
    Consumer<String> notices = notices(trackers);
    StepBoundary boundary =
        new StepBoundary(
            config,
            control,
            progress,
            plugins,
            workers,
            trackers,
            log,
            () -> saver.save(state(skippedSteps), metrics));
    while (done < run().schedule().maxSteps()) {
      rescue.require();
      saver.check();
      try (StepPlugins served = boundary.pass(done, notices)) {
        if (served == null) {
          break;
        }
        LossSettings settings = run().algorithm().loss();
        PolicyLoss loss = GuardedLoss.of(served.loss(), settings.loss());
        workers.useLoss(new BoundLoss(loss, LossOptions.of(loss, settings)));
        metrics = new LinkedHashMap<>();
        metrics.put("system/swaps", (double) boundary.replaced());
        long start = System.nanoTime();
        TrainingStep step = step(workers, trackers, notices, done);
        List<Integer> groups = levels.groups(served.curriculum(), run(), done, metrics);
        levels.played(
            done,
            step.perform(
                GuardedEstimator.of(served.estimator(), run().algorithm().estimator().name()),
                groups));
        skippedSteps.add(step.guard());
        done++;
        throughput.add(metrics, done, run(), (System.nanoTime() - start) / 1e9);
        machine.add(metrics);
        new IdleShares(metrics, run().roles().byName()).add().forEach(log::line);
      } finally {
        workers.useLoss(null);
      }
      boolean saves = (due() || skippedSteps.tooLong()) && !skippedSteps.modelBroken();
      if (saves) {
        saver.take(state(skippedSteps), metrics);
      }
      workers.notices().tell(notices);
      aliases.add(metrics);
      trackers.log(done - 1, metrics);
      progress.done(done, run().schedule().maxSteps(), metrics);
      if (saves) {
        trackers.flush(); // the checkpoint is seen after the metrics of its steps
        saver.release();
      }
      if (skippedSteps.tooLong()) {
        trackers.flush();
        throw skippedSteps.failure(saver.finish());
      }
    }
    rescue.require();
    boolean complete = done == run().schedule().maxSteps();
    if (!complete || run().schedule().savesAfter(done)) {
      trackers.flush();
      if (skippedSteps.modelBroken()) {
        throw skippedSteps.unsaved(saver.finish());
      }
      saver.save(state(skippedSteps), metrics);
    }
    saver.finish();
    if (complete && run().schedule().validation().evalSteps() > 0) {
      metrics = new LinkedHashMap<>(finalValidation(workers, trackers));
    }
    trackers.flush();
    rescue.require();
    return new Outcome(done, done < run().schedule().maxSteps(), metrics);
  }

  private TrainingStep step(
      WorkerGroup workers, CompositeTracking trackers, Consumer<String> notices, int number) {
    return new TrainingStep(
        run(),
        workers,
        controller,
        staleness,
        metrics,
        log,
        progress,
        notices,
        plan,
        trackers.tracer(),
        number);
  }

  /** Sends notices to the log and to the trackers. */
  private Consumer<String> notices(CompositeTracking trackers) {
    return notice -> {
      log.line(notice);
      trackers.notice(notice);
    };
  }

  /** Validates the finished policy; its metrics are those of the step after the last. */
  private Map<String, Double> finalValidation(WorkerGroup workers, CompositeTracking trackers)
      throws InterruptedException {
    metrics = new LinkedHashMap<>();
    step(workers, trackers, notices(trackers), done).validateFinished();
    aliases.add(metrics);
    trackers.log(done, metrics);
    return metrics;
  }

  private boolean due() {
    return control.stopped() || run().schedule().savesAfter(done);
  }

  private PipelineState state(SkippedSteps skippedSteps) {
    double ahead = run().schedule().asyncRatio();
    return new PipelineState(
        done,
        controller.coefficient(),
        run().seed(),
        skippedSteps.length(),
        levels.state(),
        ahead == 0 ? null : staleness.last((int) Math.ceil(ahead) + 1));
  }
}
