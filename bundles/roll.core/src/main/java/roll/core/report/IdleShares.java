package roll.core.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import roll.api.config.WorkerConfig;
import roll.core.Roles;

/**
 * The share of a step in which no model computes on a device, by cause, from the times of the step.
 * Responses of the policy and of reward models count for the devices of both, and where
 * asynchronous generation and training share a device, they count as one after the other: there the
 * share is a lower bound.
 */
public final class IdleShares {
  private static final String TIME = "time/";
  private static final List<String> COMPUTES =
      List.of("train_step", "compute_log_probs", "compute_values", "compute_divergences");
  private static final String IDLE = TIME + "rollout_idle_";

  /** Roles with times of their own; all others generate. */
  private static final Set<String> TIMED = Set.of(Roles.ACTOR_TRAIN, Roles.REFERENCE, Roles.CRITIC);

  private static final List<String> WEIGHTS = List.of("step_model_update", "step_offload");

  /** Shares below this are not worth a line. */
  private static final double SMALL = 0.05;

  private final Map<String, Double> metrics;
  private final Map<String, WorkerConfig> roles;
  private final double total;

  /**
   * Creates the shares of a step.
   *
   * @param metrics of the step, among them {@code time/step_total}
   * @param roles the roles with a model, by name
   */
  public IdleShares(Map<String, Double> metrics, Map<String, WorkerConfig> roles) {
    this.metrics = metrics;
    this.roles = roles;
    this.total = seconds("step_total");
  }

  private double seconds(String name) {
    return metrics.getOrDefault(TIME + name, 0.0);
  }

  /**
   * Adds {@code idle/<device>/total} and {@code idle/<device>/<cause>} to the metrics.
   *
   * @return a line about each device that was idle, with the largest cause first
   */
  public List<String> add() {
    Set<Integer> devices = new TreeSet<>();
    roles.values().forEach(role -> devices.addAll(numbers(role)));
    return devices.stream().map(this::add).filter(line -> !line.isEmpty()).toList();
  }

  private static List<Integer> numbers(WorkerConfig role) {
    return role.devices().isEmpty() ? List.of(-1) : role.devices();
  }

  private String add(int device) {
    Map<String, Double> causes = causes(device);
    double idle = Math.max(0, total - computed(device));
    double known = causes.values().stream().mapToDouble(Double::doubleValue).sum();
    causes.put("driver", Math.max(0, idle - known));
    double scale = known > idle ? idle / known : 1; // the clocks of a step do not agree exactly
    String name = device < 0 ? "cpu" : String.valueOf(device);
    causes.replaceAll((cause, seconds) -> seconds * scale / total);
    causes.forEach((cause, share) -> metrics.put("idle/" + name + "/" + cause, share));
    metrics.put("idle/" + name + "/total", idle / total);
    return idle / total < SMALL ? "" : line(name, idle / total, causes);
  }

  private double computed(int device) {
    double sum = generates(device) ? generated() : 0;
    for (Map.Entry<String, WorkerConfig> role : roles.entrySet()) {
      if (numbers(role.getValue()).contains(device)) {
        for (String work : COMPUTES) {
          sum += seconds(role.getKey() + "/" + work + "/total");
        }
      }
    }
    return sum;
  }

  private boolean generates(int device) {
    return roles.entrySet().stream()
        .filter(role -> !timed(role.getKey()))
        .anyMatch(role -> numbers(role.getValue()).contains(device));
  }

  private static boolean timed(String role) {
    return TIMED.contains(role) || role.startsWith(Roles.TEACHERS);
  }

  private double generated() {
    return seconds("rollout_generate") + metrics.getOrDefault("val/time/rollout_generate", 0.0);
  }

  /** Returns the seconds of each cause that is known. */
  private Map<String, Double> causes(int device) {
    Map<String, Double> causes = new TreeMap<>();
    WEIGHTS.forEach(phase -> causes.merge("weights", seconds(phase), Double::sum));
    if (generates(device)) {
      for (String name : List.of(IDLE, "val/" + IDLE)) {
        metrics.forEach(
            (metric, seconds) -> {
              if (metric.startsWith(name)) {
                causes.merge(metric.substring(name.length()), seconds, Double::sum);
              }
            });
      }
    } else {
      causes.put("rollout", seconds("step_rollout") + seconds("step_val"));
    }
    return causes;
  }

  private String line(String device, double idle, Map<String, Double> causes) {
    StringBuilder line = new StringBuilder();
    line.append(percent(idle)).append(" of the step idle on ").append(device).append(':');
    causes.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .filter(cause -> cause.getValue() >= SMALL / 2)
        .forEach(
            cause ->
                line.append(' ')
                    .append(cause.getKey())
                    .append(' ')
                    .append(percent(cause.getValue())));
    Double alone = metrics.get("time/rollout_straggler/seconds");
    if (alone != null && alone >= SMALL * total) {
      line.append(
          String.format(
              Locale.ROOT,
              "; %.1f s of it for the episode of group %.0f, episode %.0f, member %.0f alone",
              alone,
              metrics.get("time/rollout_straggler/group"),
              metrics.get("time/rollout_straggler/episode"),
              metrics.get("time/rollout_straggler/member")));
    }
    return line.toString();
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f%%", 100 * share);
  }
}
