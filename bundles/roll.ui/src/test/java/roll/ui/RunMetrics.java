package roll.ui;

import java.util.LinkedHashMap;
import java.util.Map;

/** The metrics of the steps of a made run, in the order and under the names of a real one. */
public final class RunMetrics {
  /** Steps between validations. */
  public static final int EVAL_STEPS = 10;

  private static final double TOTAL = 2.0;

  private RunMetrics() {}

  /** Returns the metrics of {@code step}; KL is NaN in every seventh. */
  public static Map<String, Double> of(int step) {
    double learned = 1 - Math.exp(-step / 40.0);
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("system/swaps", 0.0);
    phase(metrics, "model_update", 0.05, 800);
    if (step % EVAL_STEPS == 0) {
      phase(metrics, "val", 0.2, 805);
      metrics.put("val/score/mean", 0.9 * learned);
      metrics.put("val/env/" + RunFolderMaker.TAG + "/success", learned);
    }
    phase(metrics, "rollout", 1.25, 812);
    device(metrics, "rollout", 6.5);
    metrics.put("rollout/score/mean", 0.8 * learned);
    metrics.put("env/" + RunFolderMaker.TAG + "/success", 0.9 * learned);
    phase(metrics, "train", 0.5, 824);
    device(metrics, "train", 9.25);
    metrics.put("actor/pg_loss", 0.05 * Math.cos(step));
    metrics.put("critic/kl", step % 7 == 6 ? Double.NaN : 0.001 * step);
    metrics.put("critic/entropy/mean", 1.2 * (1 - 0.5 * learned));
    metrics.put("system/tps", 10_000.0 + 10 * step);
    metrics.put("time/step_total", TOTAL);
    metrics.put("idle/cpu/total", 0.5);
    metrics.put("idle/cpu/tool", 0.375);
    return metrics;
  }

  private static void phase(
      Map<String, Double> metrics, String name, double seconds, double megabytes) {
    metrics.put("time/step_" + name, seconds);
    metrics.put("memory/step_" + name + "/start", megabytes);
    metrics.put("memory/step_" + name + "/end", megabytes + 10);
  }

  private static void device(Map<String, Double> metrics, String phase, double held) {
    metrics.put("memory/device_cpu/step_" + phase + "/held", held);
    metrics.put("memory/device_cpu/step_" + phase + "/expected", held + 0.5);
  }
}
