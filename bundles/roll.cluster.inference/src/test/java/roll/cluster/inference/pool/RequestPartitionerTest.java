package roll.cluster.inference.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.data.RandomStreams;
import roll.api.image.Picture;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;

/** Results of synchronous runs are bit-for-bit identical with any number of engines. */
class RequestPartitionerTest {
  private static final int CONVERSATIONS = 22;
  private static final int TURNS = 5;

  private final EnginePool pool =
      new EnginePool(Thread::startVirtualThread, System::nanoTime, line -> {});
  private final RequestPartitioner partitions = new RequestPartitioner(pool, 4);
  private final List<CacheTrackingSession> sessions = new ArrayList<>();

  private void join(String name) {
    CacheTrackingSession session = new CacheTrackingSession(name.hashCode());
    sessions.add(session);
    pool.join(PoolEngine.local(name, session), 1, true);
  }

  /** Conversations of different lengths; all log-probs, in the order of requests. */
  private List<String> play(Runnable atEachTurn) {
    List<int[]> texts = new ArrayList<>();
    for (int i = 0; i < CONVERSATIONS; i++) {
      // two and two begin with the same words
      texts.add(RandomStreams.of(i / 2, "conversation").ints(9, 0, 50).toArray());
    }
    List<String> heard = new ArrayList<>();
    for (int turn = 0; turn < TURNS; turn++) {
      List<Integer> alive = new ArrayList<>();
      for (int i = 0; i < CONVERSATIONS; i++) {
        if (i % TURNS >= turn) {
          alive.add(i);
        }
      }
      int now = turn;
      CompletableFuture<List<Generation>> call =
          partitions.generate(
              alive.stream().map(i -> request(texts.get(i), 100L * now + i)).toList());
      atEachTurn.run();
      List<Generation> written = call.join();
      for (int k = 0; k < written.size(); k++) {
        heard.add(Arrays.toString(written.get(k).logProbs()));
        texts.set(alive.get(k), joined(texts.get(alive.get(k)), written.get(k).tokens()));
      }
    }
    return heard;
  }

  private static GenerationRequest request(int[] prompt, long seed) {
    return new GenerationRequest(prompt, Sampling.of(6), List.of(), seed);
  }

  private static int[] joined(int[] text, int[] more) {
    return IntStream.concat(Arrays.stream(text), Arrays.stream(more)).toArray();
  }

  private List<String> alone() {
    RequestPartitionerTest other = new RequestPartitionerTest();
    other.join("alone");
    return other.play(() -> {});
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void theNumberOfEnginesChangesNothing(int engines) {
    IntStream.range(0, engines).forEach(i -> join("e" + i));
    assertEquals(alone(), play(() -> {}));
    assertTrue(sessions.stream().allMatch(session -> session.calls > 0));
  }

  @Test
  void enginesThatComeAndGoChangeNothing() {
    IntStream.range(0, 4).forEach(i -> join("e" + i));
    int[] turn = {0};
    List<String> heard =
        play(
            () -> {
              pool.leave("e" + turn[0], "was lost");
              join("later" + turn[0]++);
            });
    assertEquals(alone(), heard);
  }

  @Test
  void newWeightsBeginAgain() {
    join("a");
    join("b");
    List<String> first = play(() -> {});
    partitions.end();
    assertEquals(first, play(() -> {}));
  }

  @Test
  void conversationsKeepTheirPartition() {
    join("a");
    List<GenerationRequest> all =
        IntStream.range(0, 8).mapToObj(i -> request(new int[] {i, i, i}, i)).toList();
    List<Generation> written = partitions.generate(all).join();
    List<GenerationRequest> next = new ArrayList<>();
    for (int i : new int[] {7, 5, 3, 1}) {
      next.add(request(joined(all.get(i).prompt(), written.get(i).tokens()), i));
    }
    assertEquals(2, sessions.getFirst().calls);
    assertEquals(4, partitions.generate(next).join().size());
    // 1, 3, 5 and 7 shared a partition: the other one has nothing to do
    assertEquals(3, sessions.getFirst().calls);
  }

  /** The same words, but each conversation shows a picture of its own, and one more each turn. */
  @Test
  void picturesTellConversationsApart() {
    join("a");
    List<GenerationRequest> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(request(new int[] {9, 9, 9}, i).withPictures(List.of(picture(i))));
    }
    List<Generation> written = partitions.generate(all).join();
    List<GenerationRequest> next = new ArrayList<>();
    for (int i : new int[] {7, 5, 3, 1}) {
      int[] text = joined(joined(all.get(i).prompt(), written.get(i).tokens()), new int[] {9});
      next.add(request(text, i).withPictures(List.of(picture(i), picture(100))));
    }
    assertEquals(2, sessions.getFirst().calls);
    assertEquals(4, partitions.generate(next).join().size());
    // 1, 3, 5 and 7 shared a partition: the other one has nothing to do
    assertEquals(3, sessions.getFirst().calls);
  }

  private static Picture picture(int number) {
    return Picture.of(new byte[] {(byte) number});
  }

  @Test
  void cancelingEndsWhatIsUnderWay() {
    join("a");
    CacheTrackingSession session = sessions.getFirst();
    session.allowed = new CompletableFuture<>();
    CompletableFuture<List<Generation>> call =
        partitions.generate(List.of(request(new int[] {1}, 1), request(new int[] {2}, 2)));
    call.cancel(true);
    assertThrows(CancellationException.class, call::join);
    session.allowed.complete(null);
    assertEquals(1, partitions.generate(List.of(request(new int[] {1}, 1))).join().size());
  }
}
