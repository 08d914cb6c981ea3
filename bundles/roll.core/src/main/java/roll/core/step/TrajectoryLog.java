package roll.core.step;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import roll.api.data.Trajectory;
import roll.core.report.PhaseTimer;
import roll.core.role.WorkerGroup;
import roll.core.trajectory.TrainedSamples;
import roll.core.trajectory.TrajectoryFiles;
import roll.runtime.config.RunConfig;
import roll.runtime.trace.TraceScope;
import roll.runtime.trace.Tracer;

/**
 * Writes, every {@code logging_steps}, what was played in a step: once, as soon as it is known what
 * is made of it.
 *
 * @param phases times it, as the phase {@code log}
 * @param tracer knows the traces of the episodes
 * @param step number of the step
 */
record TrajectoryLog(
    RunConfig run, WorkerGroup workers, PhaseTimer phases, Tracer tracer, int step) {
  /**
   * Writes the trajectories {@code played} with their training data.
   *
   * @throws UncheckedIOException if that cannot be written
   */
  void write(List<Trajectory> played, TrainedSamples trained) throws InterruptedException {
    phases.run(
        "log",
        () -> {
          int period = run.schedule().loggingSteps();
          if (period > 0 && step % period == 0) {
            file(played, trained);
          }
          return played;
        });
  }

  private void file(List<Trajectory> played, TrainedSamples trained) {
    try {
      new TrajectoryFiles(run.outputDir(), workers.tokenizer(run.roles().actorInfer()))
          .write(step, played, trained, tracer.scope(TraceScope.TRAIN));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes {@code played} alone, since the step failed by {@code failure}, which is kept. */
  void writeAfter(RuntimeException failure, List<Trajectory> played) throws InterruptedException {
    try {
      write(played, TrainedSamples.NONE);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }
}
