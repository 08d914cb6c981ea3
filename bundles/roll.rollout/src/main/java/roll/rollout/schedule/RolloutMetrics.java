package roll.rollout.schedule;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import roll.api.data.Trajectory;
import roll.rollout.action.ToolActionHandler;

/** Computes the metrics of a rollout. */
final class RolloutMetrics {
  private static final String LENGTH = "response_length";
  private static final String CUT = "cut_responses";

  /** Finish reasons at the sequence length, without and with tools. */
  private static final Set<String> OUT_OF_TOKENS = Set.of("max_length", "max_model_len");

  private RolloutMetrics() {}

  /**
   * Returns {@code env/<tag>/<metric>}: the mean over the tag's trajectories that report it (for
   * rewards, ungraded trajectories count as 0); {@code env/<tag>/max_length}: share of episodes
   * that reached the sequence length; {@code env/<tag>/cut_responses}, {@code env/cut_responses}:
   * share of responses that reached their limit; {@code env/response_length}: mean over all; {@code
   * tokens/generated}: number of sampled tokens. Episodes with tools add {@code
   * env/<tag>/finish/<reason>}, the share with that finish reason, and AgentFly's {@code
   * Agent/rollout/…}.
   */
  static Map<String, Double> of(List<Trajectory> trajectories) {
    Map<String, Double> metrics = new LinkedHashMap<>();
    trajectories.stream()
        .collect(Collectors.groupingBy(Trajectory::tag, TreeMap::new, Collectors.toList()))
        .forEach((tag, those) -> add("env/" + tag + "/", those, metrics));
    agents(trajectories, metrics);
    metrics.put("env/" + CUT, cut(trajectories));
    metrics.put("env/" + LENGTH, mean(trajectories, Trajectory::written));
    metrics.put("tokens/generated", trajectories.stream().mapToDouble(Trajectory::written).sum());
    return metrics;
  }

  private static void add(String prefix, List<Trajectory> those, Map<String, Double> metrics) {
    Map<String, Double> sums = new LinkedHashMap<>();
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (Trajectory trajectory : those) {
      trajectory
          .metrics()
          .forEach(
              (name, value) -> {
                sums.merge(name, value, Double::sum);
                counts.merge(name, 1, Integer::sum);
              });
    }
    sums.remove(LENGTH);
    sums.remove(Trajectory.UNGRADED);
    sums.forEach(
        (name, sum) ->
            metrics.put(
                prefix + name, sum / (counts.getOrDefault(name, 1) + missing(name, those))));
    metrics.put(prefix + CUT, cut(those));
    metrics.put(
        prefix + "max_length", mean(those, t -> OUT_OF_TOKENS.contains(t.finish()) ? 1 : 0));
  }

  /** Returns the number of ungraded trajectories that lack {@code name}. */
  private static int missing(String name, List<Trajectory> those) {
    return name.startsWith("reward/")
        ? (int) those.stream().filter(t -> !t.graded() && !t.metrics().containsKey(name)).count()
        : 0;
  }

  /** Returns the share of responses that ended at their token limit. */
  private static double cut(List<Trajectory> those) {
    int responses = those.stream().mapToInt(t -> t.rewards().length).sum();
    return those.stream().mapToInt(t -> t.cut().size()).sum() / (double) Math.max(1, responses);
  }

  /** Adds AgentFly's metrics: mean turns and calls per episode, and the calls of each tool. */
  private static void agents(List<Trajectory> trajectories, Map<String, Double> metrics) {
    List<Trajectory> those =
        trajectories.stream()
            .filter(t -> t.metrics().containsKey(ToolActionHandler.COUNT))
            .toList();
    if (those.isEmpty()) {
      return;
    }
    for (Trajectory trajectory : those) {
      metrics.merge(
          "env/" + trajectory.tag() + "/finish/" + trajectory.finish(),
          1.0 / those.stream().filter(t -> t.tag().equals(trajectory.tag())).count(),
          Double::sum);
    }
    String agent = "Agent/rollout/";
    metrics.put(agent + "avg_turns", mean(those, t -> t.rewards().length));
    metrics.put(agent + "avg_tool_calls", mean(those, t -> number(t, ToolActionHandler.COUNT)));
    those.stream()
        .flatMap(t -> t.metrics().keySet().stream())
        .filter(name -> name.startsWith(ToolActionHandler.COUNT + "/"))
        .distinct()
        .sorted()
        .forEach(
            name ->
                metrics.put(agent + name, those.stream().mapToDouble(t -> number(t, name)).sum()));
  }

  private static double number(Trajectory trajectory, String name) {
    return trajectory.metrics().getOrDefault(name, 0.0);
  }

  private static double mean(List<Trajectory> those, ToDoubleFunction<Trajectory> of) {
    return those.stream().mapToDouble(of).average().orElse(0);
  }
}
