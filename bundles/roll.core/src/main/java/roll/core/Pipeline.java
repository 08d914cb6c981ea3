package roll.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import roll.api.config.LoadedConfig;
import roll.api.config.RunConfig;
import roll.api.estimator.AdvantageEstimator;
import roll.api.loss.PolicyLoss;
import roll.api.model.TokenizerLoader;
import roll.api.pipeline.Plan;
import roll.api.pipeline.Rollouts;
import roll.api.pipeline.TrainingRun.Outcome;

/** Step after step until the last one or until it is asked to stop; saves what must not be lost. */
final class Pipeline {
  private final LoadedConfig loaded;
  private final RunConfig run;
  private final Slots slots;
  private final Rollouts rollouts;
  private final TokenizerLoader tokenizers;
  private final RunLog log;
  private final AtomicBoolean stop;
  private final Checkpoints checkpoints;
  private final KlController controller;
  private final Staleness staleness = new Staleness();
  private final Plan plan;
  private String served = "";

  /**
   * Of one run.
   *
   * @param plan what it is expected to hold
   */
  Pipeline(
      LoadedConfig loaded,
      Slots slots,
      Rollouts rollouts,
      TokenizerLoader tokenizers,
      Plan plan,
      RunLog log,
      AtomicBoolean stop) {
    this.loaded = loaded;
    this.run = loaded.run();
    this.slots = slots;
    this.rollouts = rollouts;
    this.tokenizers = tokenizers;
    this.plan = plan;
    this.log = log;
    this.stop = stop;
    checkpoints = new Checkpoints(run.outputDir(), run.schedule().maxCkptToKeep());
    controller = new KlController(run.algorithm().kl());
  }

  /** Runs to the end; the output folder is already ours. */
  Outcome perform() throws InterruptedException {
    try {
      Resumption begin = Resumption.of(run, checkpoints);
      controller.restore(begin.state().klCoefficient());
      DiskSpace disk = DiskSpace.of(checkpoints, plan);
      disk.require();
      try (Crew crew = Crew.open(run, slots, rollouts, tokenizers);
          Trackers trackers = Trackers.open(run, slots, begin.state().step());
          Saver saver = Saver.of(run, begin, checkpoints, disk, crew, log)) {
        Files.writeString(run.outputDir().resolve("config.yaml"), loaded.effectiveYaml());
        CutBack.to(run.outputDir(), begin.state().step());
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
    int last = run.schedule().maxSteps();
    Throughput throughput = new Throughput();
    Map<String, Double> metrics = new LinkedHashMap<>();
    Streak streak = new Streak(run.schedule().maxSkippedSteps(), begin.state().skipped());
    int done = begin.state().step();
    int saved = begin.from() == null ? -1 : done; // steps of the newest checkpoint, also under way
    try (Slot<AdvantageEstimator> estimators =
            slots.open(AdvantageEstimator.class, "roll.estimator", run.algorithm().estimator());
        Slot<PolicyLoss> losses =
            slots.open(PolicyLoss.class, "roll.loss", run.algorithm().loss().loss())) {
      while (done < last && !stop.get()) {
        saver.check();
        try (Slot.Lease<AdvantageEstimator> estimator = estimators.lease(stop::get, log::line);
            Slot.Lease<PolicyLoss> loss = losses.lease(stop::get, log::line)) {
          if (estimator == null || loss == null) {
            break;
          }
          logServed(done, estimator.bundle() + ", " + loss.bundle());
          crew.useLoss(loss.service());
          metrics = new LinkedHashMap<>();
          long start = System.nanoTime();
          Step step = step(crew, metrics, trackers, done);
          step.perform(estimator.service());
          streak.add(step.inspection());
          done++;
          throughput.add(metrics, done, run, (System.nanoTime() - start) / 1e9);
        } finally {
          crew.useLoss(null);
        }
        boolean due = run.schedule().saveSteps() > 0 && done % run.schedule().saveSteps() == 0;
        boolean saves =
            (due || streak.tooLong() || done == last || stop.get()) && !streak.modelBroken();
        if (saves) {
          saver.take(state(done, streak), metrics);
          saved = done;
        }
        trackers.log(done - 1, metrics);
        if (saves) {
          trackers.flush(); // the checkpoint is seen after the metrics of its steps
          saver.release();
        }
        if (streak.tooLong()) {
          trackers.flush();
          throw streak.failure(saver.finish());
        }
      }
      if (saved != done && !streak.modelBroken()) {
        saver.take(state(done, streak), metrics);
        trackers.flush();
        saver.release();
      }
      if (done == last && run.schedule().evalSteps() > 0) {
        metrics = new LinkedHashMap<>(finalValidation(crew, trackers));
      }
    }
    saver.finish();
    trackers.flush();
    return new Outcome(done, done < last, metrics);
  }

  private Step step(Crew crew, Map<String, Double> metrics, Trackers trackers, int number) {
    return new Step(
        run, crew, controller, staleness, metrics, log, notices(trackers), plan, number);
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
    Map<String, Double> metrics = new LinkedHashMap<>();
    int last = run.schedule().maxSteps();
    Step step = step(crew, metrics, trackers, last);
    step.shareWeights();
    step.validate();
    trackers.log(last, metrics);
    return metrics;
  }

  private Checkpoints.State state(int done, Streak streak) {
    return new Checkpoints.State(done, controller.coefficient(), run.seed(), streak.length());
  }

  /** Logs which bundle versions serve, when that changes. */
  private void logServed(int step, String bundles) {
    if (!served.equals(bundles)) {
      log.line("from step " + step + " on served by " + bundles);
      served = bundles;
    }
  }
}
