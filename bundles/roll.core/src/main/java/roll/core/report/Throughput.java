package roll.core.report;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import roll.runtime.config.RunConfig;

/** Tokens and trajectories by time, over a window of recent steps. */
public final class Throughput {
  private static final int WINDOW = 5;

  private final Deque<double[]> recent = new ArrayDeque<>();

  /** Creates an empty throughput window. */
  public Throughput() {}

  /** Adds {@code system/…}, {@code time/step_total} and the peak memory of a finished step. */
  public void add(Map<String, Double> metrics, int done, RunConfig run, double seconds) {
    double tokensPerSample =
        metrics.getOrDefault("tokens/prompt_length/mean", 0.0)
            + metrics.getOrDefault("tokens/non_prompt_length/mean", 0.0);
    double tokens = tokensPerSample * run.schedule().rolloutBatchSize();
    recent.addLast(new double[] {tokens, seconds});
    if (recent.size() > WINDOW) {
      recent.removeFirst();
    }
    double allTokens = recent.stream().mapToDouble(step -> step[0]).sum();
    double allSeconds = recent.stream().mapToDouble(step -> step[1]).sum();
    metrics.put("system/tps", allTokens / allSeconds);
    metrics.put("system/step", done - 1.0);
    metrics.put("system/samples", (double) done * run.schedule().rolloutBatchSize());
    metrics.put("system/max_memory_resident_mb", ProcessMemory.peakMegabytes());
    metrics.put("time/step_total", seconds);
  }
}
