package roll.core.report;

import java.util.Map;
import roll.core.output.RunLog;
import roll.runtime.trace.Tracer;

/** Measures the durations of the phases of one step, and the process's memory after each. */
public final class PhaseTimer {
  private final Map<String, Double> metrics;
  private final RunLog log;
  private final RunProgress progress;
  private final Tracer tracer;

  /**
   * Creates the timer of one step, which adds durations and memory to {@code metrics}.
   *
   * @param tracer begins the spans of the phases
   */
  public PhaseTimer(Map<String, Double> metrics, RunLog log, RunProgress progress, Tracer tracer) {
    this.metrics = metrics;
    this.log = log;
    this.progress = progress;
    this.tracer = tracer;
  }

  /** The work of a phase. */
  public interface Work<T> {
    /** Executes the work of a phase. */
    T run() throws InterruptedException;
  }

  /**
   * Runs {@code work}; its seconds become {@code time/step_<name>}, the megabytes the process holds
   * before and after {@code memory/step_<name>/start} and {@code …/end}.
   */
  public <T> T run(String name, Work<T> work) throws InterruptedException {
    progress.phase(name);
    double before = ProcessMemory.residentMegabytes();
    long start = System.nanoTime();
    T result = tracer.phase(name).around(work::run);
    double seconds = (System.nanoTime() - start) / 1e9;
    double after = ProcessMemory.residentMegabytes();
    metrics.put("time/step_" + name, seconds);
    metrics.put("memory/step_" + name + "/start", before);
    metrics.put("memory/step_" + name + "/end", after);
    log.line(
        String.format(java.util.Locale.ROOT, "phase %s %.3f s, %.0f MB", name, seconds, after));
    return result;
  }
}
