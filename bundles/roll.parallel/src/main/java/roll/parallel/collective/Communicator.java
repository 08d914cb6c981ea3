package roll.parallel.collective;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * One rank's end of a group. All ranks of a group make the same calls in the same order, each on a
 * thread of its own, with memory of the same size; a call returns once this rank's memory may be
 * used again. Memory is f32 in native byte order where it is added up, any bytes elsewhere. Sums of
 * ranks on the CPU are made in the order of the ranks, so that they repeat bit for bit, whether the
 * ranks are threads or processes; in what order cards add is their library's.
 *
 * <p>Memory of a rank on a card is that card's: a segment is no more than its address and size, and
 * is never read here. Small memory of the computer may be given there, too.
 *
 * <p>If a rank fails, it {@link #abort aborts} the group: then every call of every rank, also one
 * that waits already, throws a {@link RankFailure}.
 */
@ConsumerType
public interface Communicator extends AutoCloseable {
  /** This rank, from 0. */
  int rank();

  /** How many ranks the group has. */
  int size();

  /** {@code floats} becomes the sum of those of all ranks. */
  void allReduce(MemorySegment floats);

  /**
   * {@code own} becomes the sum of this rank's part of {@code all} over all ranks. The part of rank
   * r begins at r times the size of {@code own}, and all are equally long.
   *
   * @param all unchanged
   * @param own may be this rank's part of {@code all}
   */
  void reduceScatter(MemorySegment all, MemorySegment own);

  /**
   * {@code all} becomes the parts of all ranks, one behind the other.
   *
   * @param own may be this rank's part of {@code all}
   */
  void allGather(MemorySegment own, MemorySegment all);

  /** {@code bytes} becomes what {@code root} has. */
  void broadcast(MemorySegment bytes, int root);

  /** Gives {@code bytes} to rank {@code to}; does not wait for it to {@link #receive} them. */
  void send(MemorySegment bytes, int to);

  /** Waits for what rank {@code from} sends next, as long as {@code bytes}. */
  void receive(MemorySegment bytes, int from);

  /** Waits until every rank is here. */
  void barrier();

  /** Ends the calls of all ranks with {@code cause}, until {@link #reset}. From any thread. */
  void abort(Throwable cause);

  /**
   * Makes the group usable again after {@link #abort}, once no rank is in a call any more.
   *
   * @throws IllegalStateException if the group has ranks in other processes: then it is over, and
   *     whoever coordinates them forms one of a higher epoch
   */
  void reset();

  @Override
  void close();
}
