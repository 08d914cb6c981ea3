package roll.runtime.config;

import java.util.List;
import roll.api.strategy.Sampling;

/**
 * The environments of one rollout and how the policy is sampled in them.
 *
 * @param tags names of custom environments
 * @param groupsByTag groups of each tag, in the order of {@code tags}
 * @param groupSize episodes of a group: same environment, same start
 * @param redundancy episodes of a group beyond its size; those that are done first count
 * @param groupFilter id of the group filter, {@code none} for none
 * @param sampling how responses are drawn
 * @param proxy who writes them
 */
public record EnvManagerConfig(
    List<String> tags,
    List<Integer> groupsByTag,
    int groupSize,
    int redundancy,
    String groupFilter,
    Sampling sampling,
    ProxyConfig proxy) {
  /** Creates the configuration of environments that the policy plays in. */
  public EnvManagerConfig(
      List<String> tags,
      List<Integer> groupsByTag,
      int groupSize,
      int redundancy,
      String groupFilter,
      Sampling sampling) {
    this(tags, groupsByTag, groupSize, redundancy, groupFilter, sampling, ProxyConfig.POLICY);
  }

  /** Returns the configuration with other numbers of groups by tag. */
  public EnvManagerConfig withGroups(List<Integer> groupsByTag) {
    return new EnvManagerConfig(
        tags, groupsByTag, groupSize, redundancy, groupFilter, sampling, proxy);
  }

  /** Number of episodes that a group begins. */
  public int members() {
    return groupSize + redundancy;
  }

  /** Number of groups of all tags together. */
  public int groups() {
    return groupsByTag.stream().mapToInt(Integer::intValue).sum();
  }
}
