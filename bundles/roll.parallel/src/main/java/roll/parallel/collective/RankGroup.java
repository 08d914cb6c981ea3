package roll.parallel.collective;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A group of ranks that is to be formed; the same in every process that takes part.
 *
 * @param name what it is for, such as {@code actor_train data 0}; no two groups of an epoch have
 *     the same
 * @param epoch how often the members were brought together: whoever coordinates them gives every
 *     attempt a higher one, so that nothing of an earlier one is taken for its own
 * @param members by rank
 * @param limit how long forming it, and one operation, may take before the group fails; ranks that
 *     are threads of one process are waited for without a limit
 * @param plain whether it was asked for that what moves between machines may be read on its way
 */
public record RankGroup(
    String name, long epoch, List<RankLocation> members, Duration limit, boolean plain) {
  /** As long as PyTorch waits for NCCL. */
  public static final Duration LIMIT = Duration.ofMinutes(10);

  /** A group that says nothing on its way from machine to machine that others can read. */
  public RankGroup(String name, long epoch, List<RankLocation> members, Duration limit) {
    this(name, epoch, members, limit, false);
  }

  /** A group of at least one rank. */
  public RankGroup {
    members = List.copyOf(members);
    if (members.isEmpty()) {
      throw new IllegalArgumentException("a group without ranks");
    }
  }

  /** Ranks of this process, one on each of {@code cards}, which may be {@link RankLocation#CPU}. */
  public static RankGroup here(String name, List<Integer> cards) {
    return new RankGroup(
        name, 0, cards.stream().map(card -> new RankLocation("", "", card)).toList(), LIMIT);
  }

  /** How many ranks it has. */
  public int size() {
    return members.size();
  }

  /** The ranks that live in {@code process}, in their order. */
  public List<Integer> ranks(String process) {
    return IntStream.range(0, size())
        .filter(rank -> members.get(rank).process().equals(process))
        .boxed()
        .toList();
  }

  /** Whether all ranks live in {@code process}. */
  public boolean within(String process) {
    return members.stream().allMatch(member -> member.process().equals(process));
  }

  /**
   * A group of some of the ranks, in the order of {@code ranks}.
   *
   * @param part what it is for, such as {@code data 0}; its name is that of this group and this
   */
  public RankGroup of(String part, List<Integer> ranks) {
    return new RankGroup(
        name + " " + part, epoch, ranks.stream().map(members::get).toList(), limit, plain);
  }

  /** How messages call it: name and epoch. */
  public String label() {
    return epoch == 0 ? "group '" + name + "'" : "group '" + name + "' of epoch " + epoch;
  }
}
