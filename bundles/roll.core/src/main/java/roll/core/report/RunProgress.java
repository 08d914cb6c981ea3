package roll.core.report;

import java.time.Instant;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import roll.runtime.pipeline.RunStatus;
import roll.runtime.pipeline.RunStatus.State;

/** The status of a run, set by the run's thread and read by any. */
public final class RunProgress {
  private RunStatus status;

  /** Progress of a starting run with {@code maxSteps} steps. */
  public RunProgress(int maxSteps) {
    status =
        new RunStatus(State.STARTING, 0, maxSteps, "", null, "", Instant.now(), null, Map.of());
  }

  /** Returns the current status of the run. */
  public synchronized RunStatus status() {
    return status;
  }

  /** Records that {@code done} steps are complete, the last with {@code metrics}. */
  public void done(int done, int maxSteps, Map<String, Double> metrics) {
    Map<String, Double> copy = Map.copyOf(metrics);
    change(s -> with(s, s.state(), done, maxSteps, "", s.waiting(), s.served(), copy));
  }

  /** Records that a phase of a step begins; empty after the last one. */
  void phase(String name) {
    change(
        s ->
            with(s, s.state(), s.step(), s.maxSteps(), name, s.waiting(), s.served(), s.metrics()));
  }

  /** Marks the run as running with the plugins {@code served}. */
  public void running(String served) {
    change(
        s -> with(s, State.RUNNING, s.step(), s.maxSteps(), s.phase(), null, served, s.metrics()));
  }

  /** Sets the state of the run and its reason. */
  public void state(State state, @Nullable String why) {
    change(s -> with(s, state, s.step(), s.maxSteps(), "", why, s.served(), s.metrics()));
  }

  /** Marks the run as ended in {@code state}. */
  public void ended(State state, @Nullable String why) {
    state(state, why);
    change(
        s ->
            new RunStatus(
                s.state(),
                s.step(),
                s.maxSteps(),
                "",
                s.waiting(),
                s.served(),
                s.started(),
                Instant.now(),
                s.metrics()));
  }

  private synchronized void change(UnaryOperator<RunStatus> change) {
    status = change.apply(status);
  }

  private static RunStatus with(
      RunStatus before,
      State state,
      int step,
      int maxSteps,
      String phase,
      @Nullable String waiting,
      String served,
      Map<String, Double> metrics) {
    return new RunStatus(
        state, step, maxSteps, phase, waiting, served, before.started(), null, metrics);
  }
}
