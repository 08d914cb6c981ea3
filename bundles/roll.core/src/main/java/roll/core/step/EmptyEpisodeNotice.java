package roll.core.step;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import roll.api.data.Trajectory;

/**
 * Notices about environments all of whose episodes ended before the first token: nothing can be
 * learned in them.
 */
final class EmptyEpisodeNotice {
  private EmptyEpisodeNotice() {}

  /**
   * Returns a notice for each tag all of whose {@code trajectories} ended before the policy
   * generated a token.
   *
   * @param sequenceLength most tokens of prompt and responses
   */
  static List<String> lines(List<Trajectory> trajectories, int sequenceLength) {
    return trajectories.stream()
        .collect(Collectors.groupingBy(Trajectory::tag, TreeMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .filter(tag -> tag.getValue().stream().allMatch(played -> played.written() == 0))
        .map(tag -> line(tag.getKey(), tag.getValue(), sequenceLength))
        .toList();
  }

  private static String line(String tag, List<Trajectory> played, int sequenceLength) {
    return "custom_envs.%s: no token was written in any of %d episodes, the first ended by %s; does the first prompt leave room for a response in sequence_length %d?"
        .formatted(tag, played.size(), played.getFirst().finish(), sequenceLength);
  }
}
