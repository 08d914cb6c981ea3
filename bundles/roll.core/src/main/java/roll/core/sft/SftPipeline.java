package roll.core.sft;

import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import roll.api.model.TokenizerLoader;
import roll.api.option.Options;
import roll.api.plugin.Plugins;
import roll.core.checkpoint.CheckpointRescue;
import roll.core.checkpoint.CheckpointSaver;
import roll.core.checkpoint.Checkpoints;
import roll.core.checkpoint.DiskSpace;
import roll.core.checkpoint.PipelineState;
import roll.core.checkpoint.ResumePoint;
import roll.core.output.CheckpointFolder;
import roll.core.output.OutputFolder;
import roll.core.output.RunLog;
import roll.core.report.CompositeTracking;
import roll.core.report.MachineUse;
import roll.core.report.MetricAliases;
import roll.core.role.WorkerGroup;
import roll.core.step.SkippedSteps;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.option.YamlOptions;
import roll.runtime.pipeline.Rollouts;
import roll.runtime.pipeline.TrainingRun.Outcome;
import roll.runtime.worker.BoundLoss;

/**
 * Supervised training: one optimizer step a step, with the checkpoints and trackers of a training
 * run.
 */
final class SftPipeline {
  private final LoadedConfig config;
  private final SupervisedTask task;
  private final Plugins plugins;
  private final Rollouts rollouts;
  private final TokenizerLoader tokenizers;
  private final RunLog log;
  private final AtomicBoolean stop;
  private final Checkpoints checkpoints;
  private final OutputFolder folder;
  private final MetricAliases aliases;
  private Map<String, Double> metrics = new LinkedHashMap<>();
  private int done;
  private int skipped;

  /**
   * Creates the pipeline of one supervised training.
   *
   * @param task what a step does
   * @param stop whether to end after the step in progress
   * @param folder its locked output folder
   */
  SftPipeline(
      LoadedConfig config,
      SupervisedTask task,
      Plugins plugins,
      Rollouts rollouts,
      TokenizerLoader tokenizers,
      RunLog log,
      AtomicBoolean stop,
      OutputFolder folder) {
    this.config = config;
    this.task = task;
    this.plugins = plugins;
    this.rollouts = rollouts;
    this.tokenizers = tokenizers;
    this.log = log;
    this.stop = stop;
    this.folder = folder;
    checkpoints =
        new Checkpoints(run().checkpointFolder(), run().schedule().checkpoints().maxCkptToKeep());
    aliases = MetricAliases.of(run().tracking());
  }

  private RunConfig run() {
    return config.run();
  }

  private int maxSteps() {
    return run().schedule().maxSteps();
  }

  /** Runs to the end; the output folder is already ours. */
  Outcome perform() throws InterruptedException, IOException {
    try (CheckpointFolder _ = CheckpointFolder.take(run())) {
      return performed();
    }
  }

  private Outcome performed() throws InterruptedException, IOException {
    ResumePoint begin = ResumePoint.of(run(), checkpoints);
    done = begin.state().step();
    skipped = begin.state().skipped();
    DiskSpace disk =
        new DiskSpace(checkpoints, 0, folder -> Files.getFileStore(folder).getUsableSpace());
    try (WorkerGroup workers =
            WorkerGroup.open(task.roles(), this::run, plugins, rollouts, tokenizers);
        CompositeTracking trackers = new CompositeTracking(plugins, log);
        CheckpointSaver saver = CheckpointSaver.of(run(), begin, checkpoints, disk, workers, log)) {
      begin
          .start(config, checkpoints, workers, trackers, log)
          .forEach(notice -> tell(trackers, notice));
      Options none = YamlOptions.checked("sft", Map.of(), List.of());
      workers.useLoss(new BoundLoss(task.loss(), none, true));
      return trackers.perform(() -> steps(workers, trackers, saver), () -> done);
    }
  }

  private void tell(CompositeTracking trackers, String notice) {
    log.line(notice);
    trackers.notice(notice);
  }

  private Outcome steps(WorkerGroup workers, CompositeTracking trackers, CheckpointSaver saver)
      throws InterruptedException {
    CheckpointRescue rescue =
        new CheckpointRescue(
            folder, checkpoints, workers, log, () -> skipped > 0 ? null : state(), () -> metrics);
    return rescue.perform(() -> steps(workers, trackers, saver, rescue));
  }

  private Outcome steps(
      WorkerGroup workers,
      CompositeTracking trackers,
      CheckpointSaver saver,
      CheckpointRescue rescue)
      throws InterruptedException, IOException {
    SkippedSteps skippedSteps = new SkippedSteps(run().schedule().maxSkippedSteps(), skipped);
    MachineUse machine = new MachineUse(run().outputDir());
    while (done < maxSteps() && !stop.get()) {
      rescue.require();
      saver.check();
      metrics = new LinkedHashMap<>();
      long start = System.nanoTime();
      if (due(run().schedule().validation().evalSteps())) {
        validate(workers);
      }
      String problem = task.step(workers, done, metrics);
      skippedSteps.add(problem);
      skipped = skippedSteps.length();
      done++;
      metrics.put("time/step_total", (System.nanoTime() - start) / 1e9);
      machine.add(metrics);
      boolean saves = due(run().schedule().checkpoints().saveSteps()) && problem == null;
      if (saves) {
        saver.take(state(), metrics);
      }
      aliases.add(metrics);
      trackers.log(done - 1, metrics);
      if (saves) {
        trackers.flush(); // the checkpoint is seen after the metrics of its steps
        saver.release();
      }
      if (problem != null) {
        tell(trackers, "step " + (done - 1) + " was not trained on: " + problem);
        if (skippedSteps.tooLong()) {
          throw skippedSteps.failure(saver.finish());
        }
      }
    }
    rescue.require();
    if (skipped > 0) {
      throw skippedSteps.unsaved(saver.finish());
    }
    trackers.flush();
    saver.save(state(), metrics);
    if (done == maxSteps() && run().schedule().validation().evalSteps() > 0 && task.validates()) {
      metrics = new LinkedHashMap<>();
      validate(workers);
      aliases.add(metrics);
      trackers.log(done, metrics);
    }
    trackers.flush();
    rescue.require();
    return new Outcome(done, done < maxSteps(), metrics);
  }

  private boolean due(int period) {
    return period > 0 && done % period == 0;
  }

  private PipelineState state() {
    double unused = run().algorithm().kl().initialCoefficient();
    return new PipelineState(done, unused, run().seed(), skipped);
  }

  private void validate(WorkerGroup workers) throws InterruptedException {
    if (task.validates()) {
      long start = System.nanoTime();
      task.validate(workers, metrics);
      metrics.put("time/step_val", (System.nanoTime() - start) / 1e9);
    }
  }
}
