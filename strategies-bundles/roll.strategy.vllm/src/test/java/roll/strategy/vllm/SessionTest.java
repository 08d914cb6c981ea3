package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.data.RandomStreams;
import roll.api.option.UserException;
import roll.api.strategy.EngineLoad;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.api.strategy.TokenBatch;

/** Requests that are listened to, given up, refused, and cut off. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SessionTest {
  private final Tiny tiny = new Tiny();
  private final VllmSession session =
      tiny.open("num_gpu_blocks_override", 100, "block_size", 4, "max_model_len", 64);

  @AfterAll
  void close() {
    session.close();
    tiny.close();
  }

  private static List<GenerationRequest> requests(int count, int limit) {
    RandomGenerator random = RandomStreams.of(2, "requests", count);
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                Tiny.request(
                    random.ints(1 + random.nextInt(20), 0, Tiny.VOCABULARY).toArray(),
                    Sampling.of(limit).withTemperature(i % 2),
                    i))
        .toList();
  }

  /**
   * Log-probs are of logits divided by the session's temperature, whatever a request samples at.
   */
  @Test
  void logProbsOfDividedLogitsAreThoseOfScoring() {
    List<GenerationRequest> requests =
        requests(6, 12).stream()
            .map(r -> Tiny.request(r.prompt(), r.sampling().withTemperature(0.6), r.seed()))
            .toList();
    try (VllmSession scaled = tiny.openScaled(0.6)) {
      Responses responses = new Responses(requests, scaled.generate(requests).join());
      assertArrayEquals(responses.scored(scaled), responses.drawn(), 1e-4);
      double[] sampled =
          responses.generations().stream()
              .flatMapToDouble(written -> Arrays.stream(written.samplingLogProbs()))
              .toArray();
      assertArrayEquals(sampled, responses.drawn(), 1e-4);
      double[] unscaled = responses.scored(session);
      assertTrue(Responses.distance(unscaled, responses.drawn()) > 1e-2);
      assertArrayEquals(
          responses.generations().getFirst().tokens(),
          Tiny.one(session, requests.getFirst()).tokens());
    }
  }

  @Test
  void everyTokenIsToldInItsOrder() {
    List<GenerationRequest> requests = requests(7, 20);
    List<List<Integer>> told = new ArrayList<>();
    requests.forEach(request -> told.add(new ArrayList<>()));
    List<Generation> heard =
        session.generate(requests, (i, token) -> told.get(i).add(token)).join();
    for (int i = 0; i < heard.size(); i++) {
      assertEquals(20, heard.get(i).tokens().length);
      assertArrayEquals(
          heard.get(i).tokens(), told.get(i).stream().mapToInt(token -> token).toArray());
    }
    assertEquals(100, session.engine().freeBlocks());
  }

  /** Whatever a listener throws. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aListenerThatFailsFailsItsCallAlone(boolean error) {
    AtomicInteger told = new AtomicInteger();
    CompletableFuture<List<Generation>> failing =
        session.generate(
            requests(3, 40),
            (i, token) -> {
              if (i == 1 && told.incrementAndGet() == 3) {
                if (error) {
                  throw new AssertionError("enough");
                }
                throw new IllegalStateException("enough");
              }
            });
    CompletableFuture<List<Generation>> other = session.generate(requests(5, 40));
    CompletionException failure = assertThrows(CompletionException.class, failing::join);
    assertEquals("enough", failure.getCause().getMessage());
    other.join().forEach(generation -> assertEquals(40, generation.tokens().length));
    assertEquals(3, told.get());
    assertEquals(100, session.engine().freeBlocks());
  }

  @Test
  void whatNobodyWaitsForEnds() {
    AtomicInteger told = new AtomicInteger();
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<Void> cancelled = new CompletableFuture<>();
    session.metrics();
    CompletableFuture<List<Generation>> given =
        session.generate(
            requests(1, 40),
            (i, token) -> {
              told.incrementAndGet();
              begun.complete(null);
              cancelled.join();
            });
    CompletableFuture<List<Generation>> kept = session.generate(requests(5, 40));
    begun.join();
    assertTrue(given.cancel(true));
    cancelled.complete(null);
    assertThrows(CancellationException.class, given::join);
    kept.join().forEach(generation -> assertEquals(40, generation.tokens().length));
    assertEquals(1, told.get());
    assertEquals(1, session.metrics().get("vllm/num_requests_aborted"));
    assertEquals(100, session.engine().freeBlocks());
  }

  private String refused(VllmSession by, int... prompt) {
    CompletableFuture<List<Generation>> running = by.generate(requests(3, 30));
    CompletionException failure =
        assertThrows(
            CompletionException.class,
            () ->
                by.generate(
                        List.of(
                            Tiny.request(new int[] {1}, Sampling.greedy(3), 1),
                            Tiny.request(prompt, Sampling.greedy(3), 1)))
                    .join());
    assertEquals(3, running.join().size());
    assertEquals(1, Tiny.one(by, requests(1, 1).getFirst()).tokens().length);
    String message = assertInstanceOf(UserException.class, failure.getCause()).getMessage();
    assertFalse(message.contains("\n"), message);
    return message;
  }

  @Test
  void whatCannotBeAnsweredIsRefusedAndTheEngineGoesOn() {
    assertEquals("prompt: is empty, at least one token is needed", refused(session));
    assertEquals(
        "prompt: 64 tokens leave no room for a response (max_model_len: 64)",
        refused(session, new int[64]));
    assertTrue(refused(session, 1, 144).contains("token 144 is outside the vocabulary"));
    assertEquals(100, session.engine().freeBlocks());
  }

  /** 40 tokens are all there are: a longer request is refused, one of 39 fills the pool. */
  @Test
  void aRequestMayFillThePoolAndNoMore() {
    try (VllmSession small = tiny.open("num_gpu_blocks_override", 10, "block_size", 4)) {
      assertEquals(
          "prompt: 40 tokens leave no room for a response (max_model_len: 40)",
          refused(small, new int[40]));
      List<CompletableFuture<List<Generation>>> all = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        int[] prompt = new int[35 + i];
        Arrays.fill(prompt, i);
        all.add(small.generate(List.of(Tiny.request(prompt, Sampling.of(99), i))));
      }
      for (int i = 0; i < 5; i++) {
        assertEquals(5 - i, all.get(i).join().getFirst().tokens().length);
      }
      assertEquals(10, small.engine().freeBlocks());
    }
  }

  @Test
  void aStopStringThatNeverComesEndsAtTheLimit() {
    Sampling never = Sampling.of(30).withStopStrings(List.of("never said"));
    Generation generation = Tiny.one(session, Tiny.request(new int[] {1, 2}, never, 1));
    assertEquals(30, generation.tokens().length);
    assertFalse(generation.stopped());
    Sampling longer = Sampling.of(300).withStopStrings(List.of("never said"));
    assertEquals(62, Tiny.one(session, Tiny.request(new int[] {1, 2}, longer, 1)).tokens().length);
  }

  @Test
  void noRequestsHaveNoAnswers() {
    assertEquals(List.of(), session.generate(List.of()).join());
  }

  @Test
  void closingUnderLoadFailsWhatIsThereAndWhatComes() {
    VllmSession closing = tiny.open("max_num_seqs", 2);
    List<CompletableFuture<List<Generation>>> all = new ArrayList<>();
    requests(60, 200).forEach(request -> all.add(closing.generate(List.of(request))));
    assertEquals(200, all.getFirst().join().getFirst().tokens().length);
    closing.close();
    all.add(closing.generate(requests(1, 1)));
    int failed = 0;
    for (CompletableFuture<List<Generation>> each : all) {
      assertTrue(each.isDone() || each == all.getLast());
      try {
        each.join();
      } catch (CompletionException failure) {
        assertEquals("the engine was closed", failure.getCause().getMessage());
        failed++;
      }
    }
    assertTrue(failed > 1, "everything was answered before it was closed");
    assertThrows(CompletionException.class, all.getLast()::join);
    assertEquals(closing.engine().freeBlocks(), tiny.device.call(closing.engine()::freeBlocks));
  }

  /** A list is computed beside nothing else: what it gives depends on what came before alone. */
  @Test
  void deterministicCallsRepeatBitForBit() {
    List<GenerationRequest> first = requests(9, 17);
    List<GenerationRequest> second = requests(11, 13);
    List<List<Generation>> one = new ArrayList<>();
    List<List<Generation>> other = new ArrayList<>();
    Object[] options = {"deterministic", true, "max_num_batched_tokens", 30, "block_size", 4};
    try (VllmSession separate = tiny.open(options);
        VllmSession overlapping = tiny.open(options)) {
      assertFalse(separate.continuous());
      assertTrue(session.continuous());
      one.add(separate.generate(first).join());
      one.add(separate.generate(second).join());
      var a = overlapping.generate(first);
      var b = overlapping.generate(second);
      other.add(a.join());
      other.add(b.join());
    }
    for (int call = 0; call < 2; call++) {
      for (int i = 0; i < one.get(call).size(); i++) {
        Generation expected = one.get(call).get(i);
        Generation found = other.get(call).get(i);
        assertArrayEquals(expected.tokens(), found.tokens());
        assertArrayEquals(expected.logProbs(), found.logProbs(), 0);
        assertArrayEquals(expected.samplingLogProbs(), found.samplingLogProbs(), 0);
      }
    }
  }

  @Test
  void logProbsAreThoseOfAWholeForwardPass() {
    List<GenerationRequest> requests = requests(40, 30);
    try (VllmSession small =
        tiny.open("num_gpu_blocks_override", 20, "block_size", 4, "max_num_batched_tokens", 23)) {
      List<CompletableFuture<List<Generation>>> all = new ArrayList<>();
      requests.forEach(request -> all.add(small.generate(List.of(request))));
      for (int i = 0; i < all.size(); i++) {
        Generation generation = all.get(i).join().getFirst();
        assertArrayEquals(
            scores(small, requests.get(i).prompt(), generation.tokens()),
            generation.logProbs(),
            1e-4);
      }
      double preemptions = small.metrics().get("vllm/num_preemptions_max");
      assertTrue(preemptions > 0);
      assertEquals(new EngineLoad(1, 0, (long) preemptions), small.load().join());
      assertEquals(new EngineLoad(0, 0, (long) preemptions), small.load().join());
    }
  }

  /** Log-probs of {@code tokens} behind {@code prompt}, by one forward pass. */
  static double[] scores(VllmSession session, int[] prompt, int[] tokens) {
    int[] all = IntStream.concat(Arrays.stream(prompt), Arrays.stream(tokens)).toArray();
    boolean[] scored = new boolean[all.length];
    Arrays.fill(scored, prompt.length, all.length, true);
    double[] scores =
        session.score(new TokenBatch(new int[] {0, all.length}, all, scored)).join().logProbs();
    return Arrays.copyOfRange(scores, prompt.length, all.length);
  }
}
