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

/** Numbers of a rollout as a whole. */
final class RolloutMetrics {
  private static final String LENGTH = "response_length";
  private static final String CUT = "cut_responses";

  /** Without and with tools. */
  private static final Set<String> OUT_OF_TOKENS = Set.of("max_length", "max_model_len");

  private RolloutMetrics() {}

  /**
   * {@code env/<tag>/<metric>}: mean over the tag's trajectories that report it, of rewards also
   * over those that could not be graded, which count as 0; {@code env/<tag>/max_length}: share that
   * ran out of tokens; {@code env/<tag>/cut_responses}, {@code env/cut_responses}: share of
   * responses that did; {@code env/response_length}: mean over all; {@code tokens/generated}: how
   * many the policy wrote. Of episodes with tools also {@code env/<tag>/finish/<reason>}, the share
   * that ended for it, and AgentFly's {@code Agent/rollout/…}.
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

  /** How many of {@code those} lack {@code name} since no reward has graded them. */
  private static int missing(String name, List<Trajectory> those) {
    return name.startsWith("reward/")
        ? (int) those.stream().filter(t -> !t.graded() && !t.metrics().containsKey(name)).count()
        : 0;
  }

  /** Share of the responses that ended at the limit of their tokens. */
  private static double cut(List<Trajectory> those) {
    int responses = those.stream().mapToInt(t -> t.rewards().length).sum();
    return those.stream().mapToInt(t -> t.cut().size()).sum() / (double) Math.max(1, responses);
  }

  /** AgentFly's names: means of turns and calls of an episode, and all calls of each tool. */
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
