package roll.collectives.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.collectives.testkit.RankFloats.floats;
import static roll.collectives.testkit.RankFloats.random;
import static roll.collectives.testkit.RankFloats.sum;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.parallel.collective.Communicator;
import roll.parallel.collective.RankFailure;

/**
 * Contract of {@link roll.parallel.collective.Collectives}: reductions, gathers, ordered messages,
 * and that a failed rank releases the others. Ranks are threads of the test.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class CollectivesContract {
  private final RankThreads threads = new RankThreads(); // daemons, idle ones end
  private final Arena arena = Arena.ofShared();
  private final List<Communicator> opened = new ArrayList<>();

  /** Creates the collectives contract test. */
  protected CollectivesContract() {}

  /** Opens a group of {@code size} ranks, in order; the test closes them. */
  protected abstract List<Communicator> open(int size);

  /** Whether sums are bit-for-bit identical to those in the order of the ranks. */
  protected boolean ordered() {
    return true;
  }

  /** Whether a group can be used again after it was aborted. */
  protected boolean resets() {
    return true;
  }

  @AfterEach
  final void close() {
    opened.forEach(Communicator::close);
    opened.clear();
  }

  private List<Communicator> group(int size) {
    List<Communicator> group = open(size);
    opened.addAll(group);
    assertEquals(
        IntStream.range(0, size).boxed().toList(), group.stream().map(Communicator::rank).toList());
    group.forEach(rank -> assertEquals(size, rank.size()));
    return group;
  }

  private <T> List<T> all(int size, Function<Communicator, T> work) {
    return threads.all(group(size), work);
  }

  private void assertSum(int ranks, int count, int from, float[] found) {
    float[] sum = Arrays.copyOfRange(sum(ranks, count), from, from + found.length);
    if (ordered()) {
      assertArrayEquals(sum, found, 0);
      return;
    }
    float[] tolerance = RankFloats.tolerance(ranks, count);
    for (int i = 0; i < sum.length; i++) {
      assertEquals(sum[i], found[i], tolerance[from + i], "number " + (from + i));
    }
  }

  /** Sizes that are not divisible by the number of ranks; repeated sums. */
  @Test
  void allReduceSumsOverAllRanks() {
    for (int[] shape : new int[][] {{1, 5}, {2, 1}, {3, 4099}, {4, 100_001}}) {
      int count = shape[1];
      List<Communicator> group = group(shape[0]);
      for (int repetition = 0; repetition < 3; repetition++) {
        List<float[]> sums =
            threads.all(
                group,
                rank -> {
                  MemorySegment memory = floats(arena, random(rank.rank(), count));
                  rank.allReduce(memory);
                  return RankFloats.of(memory);
                });
        sums.forEach(found -> assertSum(shape[0], count, 0, found));
        sums.forEach(found -> assertArrayEquals(sums.getFirst(), found, "ranks differ"));
      }
    }
  }

  @Test
  void reduceScatterReturnsTheOwnPart() {
    for (int[] shape : new int[][] {{1, 4}, {2, 5000}, {3, 2}, {4, 2049}}) {
      int ranks = shape[0];
      int count = shape[1];
      for (boolean inPlace : new boolean[] {false, true}) {
        List<float[]> parts =
            all(
                ranks,
                rank -> {
                  MemorySegment all = floats(arena, random(rank.rank(), ranks * count));
                  long bytes = (long) count * Float.BYTES;
                  MemorySegment own =
                      inPlace
                          ? all.asSlice(rank.rank() * bytes, bytes)
                          : floats(arena, new float[count]);
                  rank.reduceScatter(all, own);
                  if (!inPlace) {
                    assertArrayEquals(random(rank.rank(), ranks * count), RankFloats.of(all));
                  }
                  return RankFloats.of(own);
                });
        for (int r = 0; r < ranks; r++) {
          assertSum(ranks, ranks * count, r * count, parts.get(r));
        }
      }
    }
  }

  @Test
  void allGatherConcatenatesParts() {
    List<float[]> found =
        all(
            3,
            rank -> {
              MemorySegment all = floats(arena, new float[6]);
              rank.allGather(floats(arena, rank.rank(), 10 + rank.rank()), all);
              MemorySegment own = all.asSlice(rank.rank() * 8L, 8);
              rank.allGather(own, all);
              return RankFloats.of(all);
            });
    found.forEach(all -> assertArrayEquals(new float[] {0, 10, 1, 11, 2, 12}, all));
  }

  /** Gathers and broadcasts of seven bytes: they need not be floats. */
  @Test
  void bytesOfAnyCountAreGatheredAndBroadcast() {
    List<byte[]> found =
        all(
            2,
            rank -> {
              byte[] own = new byte[7];
              Arrays.fill(own, (byte) (1 + rank.rank()));
              MemorySegment all = arena.allocate(14);
              rank.allGather(arena.allocateFrom(ValueLayout.JAVA_BYTE, own), all);
              MemorySegment last = arena.allocate(3).fill((byte) (5 + rank.rank()));
              rank.broadcast(last, 1);
              all.asSlice(0, 3).copyFrom(last);
              return all.toArray(ValueLayout.JAVA_BYTE);
            });
    found.forEach(
        all -> assertArrayEquals(new byte[] {6, 6, 6, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2}, all));
  }

  @Test
  void broadcastSendsTheMemoryOfTheRoot() {
    List<float[]> found =
        all(
            4,
            rank -> {
              MemorySegment memory = floats(arena, rank.rank());
              rank.broadcast(memory, 2);
              return RankFloats.of(memory);
            });
    found.forEach(memory -> assertArrayEquals(new float[] {2}, memory));
  }

  /** Two ranks that send before they receive would deadlock if sending waited. */
  @Test
  void messagesArriveInOrder() {
    List<List<Float>> found =
        all(
            2,
            rank -> {
              int other = 1 - rank.rank();
              MemorySegment memory = floats(arena, 0);
              for (int i = 0; i < 20; i++) {
                memory.set(ValueLayout.JAVA_FLOAT, 0, 1000 * rank.rank() + i);
                rank.send(memory, other);
              }
              List<Float> received = new ArrayList<>();
              for (int i = 0; i < 20; i++) {
                rank.receive(memory, other);
                received.add(memory.get(ValueLayout.JAVA_FLOAT, 0));
              }
              return received;
            });
    for (int r = 0; r < 2; r++) {
      int other = 1 - r;
      assertEquals(
          IntStream.range(0, 20).mapToObj(i -> (float) (1000 * other + i)).toList(), found.get(r));
    }
  }

  /** A pipeline sends messages while its ranks also reduce. */
  @Test
  void messagesAndSumsAreIndependent() {
    List<Float> found =
        all(
            3,
            rank -> {
              MemorySegment memory = floats(arena, 1);
              for (int i = 0; i < 5; i++) {
                if (rank.rank() > 0) {
                  rank.receive(memory, rank.rank() - 1);
                }
                if (rank.rank() < 2) {
                  rank.send(memory, rank.rank() + 1);
                }
                rank.allReduce(memory);
              }
              return memory.get(ValueLayout.JAVA_FLOAT, 0);
            });
    assertEquals(List.of(243f, 243f, 243f), found);
  }

  @Test
  void aFailedRankReleasesTheOthers() {
    List<Communicator> group = group(3);
    IllegalStateException cause = new IllegalStateException("rank 2 is out of memory");
    threads.all(
        group,
        rank -> {
          rank.barrier();
          return true;
        });
    List<CompletableFuture<Boolean>> answers =
        threads.start(
            group,
            rank -> {
              switch (rank.rank()) {
                case 0 -> rank.barrier();
                case 1 -> rank.receive(floats(arena, 0), 2);
                default -> rank.abort(cause);
              }
              return true;
            });
    for (int r = 0; r < 2; r++) {
      CompletableFuture<Boolean> answer = answers.get(r);
      RankFailure failure =
          assertInstanceOf(
              RankFailure.class, assertThrows(CompletionException.class, answer::join).getCause());
      assertEquals(1, String.valueOf(failure.getMessage()).lines().count(), failure.getMessage());
      assertTrue(released(failure, cause), failure.getMessage());
    }
    answers.get(2).join();
    if (resets()) {
      group.forEach(Communicator::reset);
      threads.all(
          group,
          rank -> {
            rank.barrier();
            return true;
          });
    } else {
      group.forEach(rank -> assertThrows(IllegalStateException.class, rank::reset));
      assertThrows(RankFailure.class, group.getFirst()::barrier);
    }
  }

  /** Whether {@code failure} is that of a rank released by {@code cause}. */
  protected boolean released(Throwable failure, Throwable cause) {
    return failure.getCause() == cause
        && "another rank failed: rank 2 is out of memory".equals(failure.getMessage());
  }

  @Test
  void memoryOfTheWrongSizeIsRefused() {
    Communicator alone = group(1).getFirst();
    MemorySegment three = floats(arena, 1, 2, 3);
    MemorySegment two = floats(arena, 1, 2);
    assertThrows(IllegalArgumentException.class, () -> alone.reduceScatter(three, two));
    assertThrows(IllegalArgumentException.class, () -> alone.allGather(two, three));
  }
}
