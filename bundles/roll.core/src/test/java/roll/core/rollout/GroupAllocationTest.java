package roll.core.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.api.strategy.Sampling;
import roll.runtime.config.EnvManagerConfig;

@NullMarked
class GroupAllocationTest {
  private final EnvManagerConfig envs =
      new EnvManagerConfig(List.of("A", "B", "C"), List.of(4, 2, 2), 3, 0, "none", Sampling.of(1));

  private List<Integer> fit(int episodes) {
    return GroupAllocation.fit(envs, episodes, "--episodes").groupsByTag();
  }

  @Test
  void everyTagKeepsItsShare() {
    assertEquals(List.of(2, 1, 1), fit(12));
    assertEquals(List.of(3, 1, 1), fit(15));
    assertEquals(List.of(1, 0, 0), fit(3));
    assertEquals(List.of(2, 1, 0), fit(9));
  }

  @Test
  void moreEpisodesLeaveTheGroupsAsTheyAre() {
    assertSame(envs, GroupAllocation.fit(envs, 24, "--episodes"));
    assertSame(envs, GroupAllocation.fit(envs, 300, "--episodes"));
  }

  @Test
  void groupsArePlayedWhole() {
    for (int episodes : List.of(-3, 0, 1, 10)) {
      assertEquals(
          "--episodes: expected a multiple of group_size = 3, found '" + episodes + "'",
          userError(() -> fit(episodes)));
    }
  }

  /** Returns the numbers of groups for {@code episodes}. */
  private List<Integer> exactly(int episodes) {
    EnvManagerConfig fitted = GroupAllocation.exactly(envs, episodes);
    return List.of(fitted.groups(), fitted.groupSize());
  }

  @Test
  void anyNumberCanBeAskedFor() {
    assertEquals(List.of(4, 3), exactly(12));
    assertEquals(List.of(1, 1), exactly(1));
    assertEquals(List.of(4, 1), exactly(4));
    assertSame(envs, GroupAllocation.exactly(envs, 300));
    assertEquals(List.of(8, 1), exactly(1_000));
    assertEquals(List.of(4, 2, 2), GroupAllocation.exactly(envs, 1_000).groupsByTag());
  }
}
