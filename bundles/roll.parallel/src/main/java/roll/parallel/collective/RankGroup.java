package roll.parallel.collective;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * The specification of a group of ranks, the same in every participating process.
 *
 * @param name such as {@code actor_train data 0}; unique among the groups of an epoch
 * @param epoch number of the attempt to connect the ranks; the coordinating process increases it,
 *     so that messages of earlier attempts are ignored
 * @param members locations by rank
 * @param limit timeout of forming the group and of each operation; threads of one process wait
 *     without limit
 * @param plain whether unencrypted traffic between machines is allowed
 */
public record RankGroup(
    String name, long epoch, List<RankLocation> members, Duration limit, boolean plain) {
  /** Timeout of collective operations: PyTorch's for NCCL. */
  public static final Duration LIMIT = Duration.ofMinutes(10);

  /** Creates a group without unencrypted traffic between machines. */
  public RankGroup(String name, long epoch, List<RankLocation> members, Duration limit) {
    this(name, epoch, members, limit, false);
  }

  /** Checks that there is at least one rank. */
  public RankGroup {
    members = List.copyOf(members);
    if (members.isEmpty()) {
      throw new IllegalArgumentException("a group without ranks");
    }
  }

  /**
   * Returns a group of ranks of this process, one on each of {@code cards}, which may be {@link
   * RankLocation#CPU}.
   */
  public static RankGroup here(String name, List<Integer> cards) {
    return new RankGroup(
        name, 0, cards.stream().map(card -> new RankLocation("", "", card)).toList(), LIMIT);
  }

  /** Returns the number of ranks in the group. */
  public int size() {
    return members.size();
  }

  /** Returns the ranks in {@code process}, in their order. */
  public List<Integer> ranks(String process) {
    return IntStream.range(0, size())
        .filter(rank -> members.get(rank).process().equals(process))
        .boxed()
        .toList();
  }

  /** Returns whether all ranks are in {@code process}. */
  public boolean within(String process) {
    return members.stream().allMatch(member -> member.process().equals(process));
  }

  /**
   * Checks that {@code all} has a part of the size of {@code own} for every rank.
   *
   * @throws IllegalArgumentException if not
   */
  public void checkParts(MemorySegment all, MemorySegment own) {
    checkSizes(all.byteSize() == own.byteSize() * size(), all, own);
  }

  /**
   * Checks that {@code rank} can exchange messages with rank {@code other}.
   *
   * @throws IllegalArgumentException if they are the same
   * @throws IndexOutOfBoundsException if there is no rank {@code other}
   */
  public void checkPeer(int rank, int other) {
    if (Objects.checkIndex(other, size()) == rank) {
      throw new IllegalArgumentException("rank " + rank + " needs no message to itself");
    }
  }

  static void checkSizes(boolean fit, MemorySegment one, MemorySegment other) {
    if (!fit) {
      throw new IllegalArgumentException(
          "memory of %d bytes does not fit one of %d".formatted(one.byteSize(), other.byteSize()));
    }
  }

  /**
   * Returns a sub-group of {@code ranks}, in their order.
   *
   * @param part such as {@code data 0}, appended to the name of this group
   */
  public RankGroup of(String part, List<Integer> ranks) {
    return new RankGroup(
        name + " " + part, epoch, ranks.stream().map(members::get).toList(), limit, plain);
  }

  /** Returns name and epoch, for messages. */
  public String label() {
    return epoch == 0 ? "group '" + name + "'" : "group '" + name + "' of epoch " + epoch;
  }
}
