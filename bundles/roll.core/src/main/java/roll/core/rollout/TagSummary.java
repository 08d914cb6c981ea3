package roll.core.rollout;

import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import roll.api.data.Trajectory;
import roll.runtime.pipeline.RolloutRun;

/** Summary of the episodes of each tag. */
final class TagSummary {
  private static final String SUCCESS = "success";
  private static final String FAILED_CALLS = "tool_calls/failed";

  private TagSummary() {}

  /** In the order of the tags' names; {@code failed} says how many episodes of a tag failed. */
  static List<RolloutRun.Tag> of(
      List<Trajectory> trajectories, Function<String, OptionalInt> failed) {
    TreeMap<String, List<Trajectory>> byTag =
        trajectories.stream()
            .collect(Collectors.groupingBy(Trajectory::tag, TreeMap::new, Collectors.toList()));
    return byTag.entrySet().stream()
        .map(entry -> of(entry.getKey(), entry.getValue(), failed.apply(entry.getKey())))
        .toList();
  }

  private static RolloutRun.Tag of(String tag, List<Trajectory> those, OptionalInt failed) {
    return new RolloutRun.Tag(
        tag,
        those.size(),
        those.stream().mapToLong(trajectory -> trajectory.rewards().length).sum(),
        those.stream()
            .filter(trajectory -> trajectory.metrics().containsKey(SUCCESS))
            .mapToDouble(trajectory -> Objects.requireNonNull(trajectory.metrics().get(SUCCESS)))
            .average(),
        mean(those, Trajectory::score),
        mean(those, Trajectory::written),
        failed,
        (int) those.stream().filter(TagSummary::failsACall).count());
  }

  private static boolean failsACall(Trajectory trajectory) {
    return trajectory.metrics().getOrDefault(FAILED_CALLS, 0.0) > 0;
  }

  private static double mean(List<Trajectory> those, ToDoubleFunction<Trajectory> of) {
    return those.stream().mapToDouble(of).average().orElse(0);
  }
}
