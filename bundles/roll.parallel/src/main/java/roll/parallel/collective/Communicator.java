package roll.parallel.collective;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * One rank's endpoint of a group. All ranks of a group make the same calls in the same order, each
 * on its own thread, with memory of the same size; a call returns when this rank's memory may be
 * used again. Reductions are over f32 in native byte order, all other operations over any bytes.
 * Ranks on the CPU are summed in the order of the ranks, so that sums repeat bit for bit, whether
 * the ranks are threads or processes; on cards the library determines the order.
 *
 * <p>Memory of a rank on a card is that card's: a segment is only address and size, and is never
 * read here. Small host memory is accepted too.
 *
 * <p>If a rank fails, it {@link #abort aborts} the group: then every call of every rank, including
 * calls in progress, throws a {@link RankFailure}.
 */
@ConsumerType
public interface Communicator extends AutoCloseable {
  /** Returns the index of this rank in the group, from 0. */
  int rank();

  /** Returns the number of ranks of the group. */
  int size();

  /** Replaces {@code floats} by the sum over all ranks. */
  void allReduce(MemorySegment floats);

  /**
   * Sets {@code own} to the sum of this rank's part of {@code all} over all ranks. The part of rank
   * r begins at r times the size of {@code own}.
   *
   * @param all unchanged
   * @param own may be this rank's part of {@code all}
   */
  void reduceScatter(MemorySegment all, MemorySegment own);

  /**
   * Sets {@code all} to the concatenated parts of all ranks.
   *
   * @param own may be this rank's part of {@code all}
   */
  void allGather(MemorySegment own, MemorySegment all);

  /** Sets {@code bytes} to the bytes of the rank {@code root}. */
  void broadcast(MemorySegment bytes, int root);

  /** Sends {@code bytes} to rank {@code to}; does not wait for it to {@link #receive} them. */
  void send(MemorySegment bytes, int to);

  /** Waits for the next message of rank {@code from}, which has the size of {@code bytes}. */
  void receive(MemorySegment bytes, int from);

  /** Waits until every rank has called this. */
  void barrier();

  /**
   * Ends the calls of all ranks with {@code cause}, until {@link #reset}. For use from any thread.
   */
  void abort(Throwable cause);

  /**
   * Makes the group usable again after {@link #abort}, when no rank is in a call anymore.
   *
   * @throws IllegalStateException if the group has ranks in other processes: then the coordinating
   *     process must form a new group with a higher epoch
   */
  void reset();

  @Override
  void close();
}
