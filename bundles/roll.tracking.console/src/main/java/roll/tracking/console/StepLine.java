package roll.tracking.console;

import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.StringJoiner;

/** The line of a step: its most important metrics, as far as it has them. */
final class StepLine {
  private final int maxSteps;

  /** The lines of a run of {@code maxSteps} steps. */
  StepLine(int maxSteps) {
    this.maxSteps = maxSteps;
  }

  /** Returns the line of {@code step}, without a line end. */
  String of(int step, Map<String, Double> metrics) {
    StringJoiner line = new StringJoiner("  ");
    int digits = String.valueOf(maxSteps).length();
    line.add(String.format(Locale.ROOT, "step %" + digits + "d/%d", step, maxSteps));
    addScore(line, "val", metrics, "val/score/mean", "val/env/");
    addScore(line, "score", metrics, "rollout/score/mean", "env/");
    add(line, "val loss", metrics, "sft/val_loss");
    add(line, "loss", metrics, "actor/pg_loss");
    add(line, "loss", metrics, "sft/loss");
    add(line, "distill", metrics, "actor/distill_loss");
    add(line, "distill", metrics, "sft/distill_loss");
    add(line, "accuracy", metrics, "rewards/accuracies");
    add(line, "margin", metrics, "rewards/margins");
    add(line, "entropy", metrics, "critic/entropy/mean");
    add(line, "kl", metrics, "critic/kl");
    add(line, "grad", metrics, "actor_train/grad_norm");
    add(line, "grad", metrics, "sft/grad_norm");
    addRate(line, metrics, "system/tps");
    addRate(line, metrics, "sft/tps");
    Double seconds = metrics.get("time/step_total");
    if (seconds != null) {
      line.add(String.format(Locale.ROOT, "%.2f s", seconds));
    }
    return line.toString();
  }

  /** Adds a mean score and, where environments report it, the success rate. */
  private static void addScore(
      StringJoiner line, String label, Map<String, Double> metrics, String name, String prefix) {
    Double score = metrics.get(name);
    OptionalDouble success =
        metrics.entrySet().stream()
            .filter(metric -> metric.getKey().startsWith(prefix))
            .filter(metric -> metric.getKey().endsWith("/success"))
            .mapToDouble(Map.Entry::getValue)
            .average();
    if (score == null) {
      return;
    }
    String rate =
        success.isPresent()
            ? String.format(Locale.ROOT, " (success %.1f %%)", 100 * success.getAsDouble())
            : "";
    line.add(label + " " + number(score) + rate);
  }

  private static void add(
      StringJoiner line, String label, Map<String, Double> metrics, String name) {
    Double value = metrics.get(name);
    if (value != null) {
      line.add(label + " " + number(value));
    }
  }

  private static void addRate(StringJoiner line, Map<String, Double> metrics, String name) {
    Double rate = metrics.get(name);
    if (rate != null) {
      line.add(String.format(Locale.ROOT, "%.0f tok/s", rate));
    }
  }

  /** Returns three decimals, or an exponent for very small or large numbers. */
  private static String number(double value) {
    double size = Math.abs(value);
    boolean plain = value == 0 || (size >= 0.001 && size < 1e6) || !Double.isFinite(value);
    return String.format(Locale.ROOT, plain ? "%.3f" : "%.1e", value);
  }
}
