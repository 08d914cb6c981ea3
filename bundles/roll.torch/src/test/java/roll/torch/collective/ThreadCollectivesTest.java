package roll.torch.collective;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.RandomStreams;

@Timeout(30)
class ThreadCollectivesTest {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Arena arena = Arena.ofShared();

  @AfterEach
  void close() {
    threads.shutdownNow();
  }

  private static <T> List<T> all(List<CompletableFuture<T>> answers) {
    return answers.stream().map(CompletableFuture::join).toList();
  }

  private <T> List<CompletableFuture<T>> start(
      List<Communicator> group, Function<Communicator, T> work) {
    return group.stream()
        .map(rank -> CompletableFuture.supplyAsync(() -> work.apply(rank), threads))
        .toList();
  }

  private MemorySegment floats(float... numbers) {
    return arena.allocateFrom(ValueLayout.JAVA_FLOAT, numbers);
  }

  private static float[] numbers(MemorySegment memory) {
    return memory.toArray(ValueLayout.JAVA_FLOAT);
  }

  /** Numbers of rank {@code rank}, of so different sizes that the order of a sum can be seen. */
  private static float[] drawn(int rank, int count) {
    RandomGenerator random = RandomStreams.of(3, "rank", rank);
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = (float) (random.nextGaussian() * Math.exp(8 * random.nextGaussian()));
    }
    return numbers;
  }

  /** The sum in the order of the ranks. */
  private static float[] sum(int ranks, int count) {
    float[] sum = drawn(0, count);
    for (int r = 1; r < ranks; r++) {
      float[] more = drawn(r, count);
      for (int i = 0; i < count; i++) {
        sum[i] += more[i];
      }
    }
    return sum;
  }

  /** Sizes that no number of ranks divides, and more than one tile of the sum. */
  @ParameterizedTest
  @CsvSource({"1, 5", "2, 1", "3, 4099", "4, 100001", "8, 3"})
  void allReduceAddsInTheOrderOfTheRanks(int ranks, int count) {
    List<Communicator> group = new ThreadCollectives().open(ranks);
    for (int repetition = 0; repetition < 3; repetition++) {
      List<float[]> sums =
          all(
              start(
                  group,
                  rank -> {
                    MemorySegment memory = floats(drawn(rank.rank(), count));
                    rank.allReduce(memory);
                    return numbers(memory);
                  }));
      for (float[] found : sums) {
        assertArrayEquals(sum(ranks, count), found, 0);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 4, false", "2, 5000, false", "3, 2, true", "4, 2049, true"})
  void reduceScatterGivesEachItsPart(int ranks, int count, boolean inPlace) {
    float[] sum = sum(ranks, ranks * count);
    List<float[]> parts =
        all(
            start(
                new ThreadCollectives().open(ranks),
                rank -> {
                  MemorySegment all = floats(drawn(rank.rank(), ranks * count));
                  long bytes = (long) count * Float.BYTES;
                  MemorySegment own =
                      inPlace ? all.asSlice(rank.rank() * bytes, bytes) : floats(new float[count]);
                  rank.reduceScatter(all, own);
                  return numbers(own);
                }));
    for (int r = 0; r < ranks; r++) {
      int from = r * count;
      assertArrayEquals(Arrays.copyOfRange(sum, from, from + count), parts.get(r), 0);
    }
  }

  @Test
  void allGatherPutsPartsOneBehindTheOther() {
    List<float[]> found =
        all(
            start(
                new ThreadCollectives().open(3),
                rank -> {
                  MemorySegment all = floats(new float[6]);
                  rank.allGather(floats(rank.rank(), 10 + rank.rank()), all);
                  MemorySegment own = all.asSlice(rank.rank() * 8L, 8);
                  rank.allGather(own, all);
                  return numbers(all);
                }));
    found.forEach(all -> assertArrayEquals(new float[] {0, 10, 1, 11, 2, 12}, all));
  }

  @Test
  void broadcastGivesWhatTheRootHas() {
    List<float[]> found =
        all(
            start(
                new ThreadCollectives().open(4),
                rank -> {
                  MemorySegment memory = floats(rank.rank());
                  rank.broadcast(memory, 2);
                  return numbers(memory);
                }));
    found.forEach(memory -> assertArrayEquals(new float[] {2}, memory));
  }

  /** Two ranks that each send before they receive would wait for ever if sending waited. */
  @Test
  void messagesArriveInTheirOrder() {
    List<List<Float>> found =
        all(
            start(
                new ThreadCollectives().open(2),
                rank -> {
                  int other = 1 - rank.rank();
                  MemorySegment memory = floats(0);
                  for (int i = 0; i < 100; i++) {
                    memory.set(ValueLayout.JAVA_FLOAT, 0, 1000 * rank.rank() + i);
                    rank.send(memory, other);
                  }
                  List<Float> received = new ArrayList<>();
                  for (int i = 0; i < 100; i++) {
                    rank.receive(memory, other);
                    received.add(memory.get(ValueLayout.JAVA_FLOAT, 0));
                  }
                  return received;
                }));
    for (int r = 0; r < 2; r++) {
      int other = 1 - r;
      assertEquals(
          IntStream.range(0, 100).mapToObj(i -> (float) (1000 * other + i)).toList(), found.get(r));
    }
  }

  @Test
  void aRankThatFailsReleasesTheOthersWithItsError() {
    List<Communicator> group = new ThreadCollectives().open(4);
    IllegalStateException cause = new IllegalStateException("rank 3 is out of memory");
    List<CompletableFuture<Boolean>> answers =
        start(
            group,
            rank -> {
              switch (rank.rank()) {
                case 0 -> rank.barrier();
                case 1 -> rank.receive(floats(0), 2);
                case 2 -> {
                  rank.barrier();
                  rank.barrier();
                }
                default -> rank.abort(cause);
              }
              return true;
            });
    for (int r = 0; r < 3; r++) {
      CompletableFuture<Boolean> answer = answers.get(r);
      Throwable failure = assertThrows(CompletionException.class, answer::join).getCause();
      assertInstanceOf(RankFailure.class, failure);
      assertSame(cause, failure.getCause());
      assertEquals("another rank failed: rank 3 is out of memory", failure.getMessage());
    }
    group.forEach(Communicator::reset);
    all(
        start(
            group,
            rank -> {
              rank.barrier();
              return true;
            }));
  }

  @Test
  void memoryOfTheWrongSizeIsRefused() {
    Communicator alone = new ThreadCollectives().open(1).getFirst();
    MemorySegment three = floats(1, 2, 3);
    MemorySegment two = floats(1, 2);
    assertThrows(IllegalArgumentException.class, () -> alone.reduceScatter(three, two));
    assertThrows(IllegalArgumentException.class, () -> alone.allGather(two, three));
  }
}
