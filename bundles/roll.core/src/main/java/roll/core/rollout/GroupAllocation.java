package roll.core.rollout;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import roll.api.option.UserException;
import roll.runtime.config.EnvManagerConfig;

/** The number of groups of each tag for a given number of episodes. */
final class GroupAllocation {
  private GroupAllocation() {}

  /**
   * {@code envs} for {@code episodes} episodes: where these are fewer than its groups have members,
   * every tag keeps its share of the groups, the remainder going to the first tags.
   *
   * @param where the number comes from, for the message
   * @throws UserException if these are no whole groups
   */
  static EnvManagerConfig fit(EnvManagerConfig envs, int episodes, String where) {
    if (episodes < 1 || episodes % envs.groupSize() != 0) {
      throw new UserException(
          where
              + ": expected a multiple of group_size = "
              + envs.groupSize()
              + ", found '"
              + episodes
              + "'");
    }
    return of(envs, episodes / envs.groupSize());
  }

  /**
   * {@code envs} for just {@code episodes} episodes, whatever their number: where these are no
   * whole groups, groups are smaller, the largest that come out even.
   *
   * @param episodes at least 1
   */
  static EnvManagerConfig exactly(EnvManagerConfig envs, int episodes) {
    int size =
        BigInteger.valueOf(envs.groupSize()).gcd(BigInteger.valueOf(episodes)).intValueExact();
    EnvManagerConfig even =
        size == envs.groupSize()
            ? envs
            : new EnvManagerConfig(
                envs.tags(),
                envs.groupsByTag(),
                size,
                envs.redundancy(),
                envs.groupFilter(),
                envs.sampling(),
                envs.proxy());
    return of(even, episodes / size);
  }

  private static EnvManagerConfig of(EnvManagerConfig envs, int groups) {
    if (groups >= envs.groups()) {
      return envs;
    }
    List<Integer> shares = new ArrayList<>();
    int given = 0;
    for (int share : envs.groupsByTag()) {
      int kept = (int) ((long) share * groups / envs.groups());
      shares.add(kept);
      given += kept;
    }
    for (int i = 0; given < groups; i = (i + 1) % shares.size(), given++) {
      shares.set(i, shares.get(i) + 1);
    }
    return new EnvManagerConfig(
        envs.tags(),
        List.copyOf(shares),
        envs.groupSize(),
        envs.redundancy(),
        envs.groupFilter(),
        envs.sampling(),
        envs.proxy());
  }
}
