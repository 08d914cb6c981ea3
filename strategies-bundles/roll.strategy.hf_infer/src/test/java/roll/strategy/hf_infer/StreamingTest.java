package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;
import roll.api.strategy.TokenListener;

/** Tokens told while they are drawn, and generation that is given up. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StreamingTest {
  private final Stories stories = new Stories();
  private final InferSession session = stories.open(3);

  @AfterAll
  void close() {
    session.close();
    stories.close();
  }

  private static List<GenerationRequest> requests() {
    List<GenerationRequest> requests = new ArrayList<>();
    for (int[] prompt : Stories.prompts(5)) {
      int seed = requests.size();
      requests.add(new GenerationRequest(prompt, Stories.WARM, List.of(2, 426), seed));
    }
    return requests;
  }

  @Test
  void everyTokenIsToldInItsOrder() {
    List<List<Integer>> told = new ArrayList<>();
    requests().forEach(request -> told.add(new ArrayList<>()));
    List<Generation> heard =
        session.generate(requests(), (i, token) -> told.get(i).add(token)).join();
    List<Generation> silent = session.generate(requests()).join();
    for (int i = 0; i < heard.size(); i++) {
      assertArrayEquals(silent.get(i).tokens(), heard.get(i).tokens());
      assertArrayEquals(
          heard.get(i).tokens(), told.get(i).stream().mapToInt(token -> token).toArray());
    }
  }

  /** A listener receives each token once, with its log-prob. */
  @Test
  void logProbsAreToldToo() {
    List<Double> told = new ArrayList<>();
    TokenListener listener =
        new TokenListener() {
          @Override
          public void sampled(int request, int token) {
            throw new AssertionError("told twice");
          }

          @Override
          public void sampled(int request, int token, double logProb) {
            told.add(logProb);
          }
        };
    Generation heard = session.generate(requests().subList(0, 1), listener).join().getFirst();
    assertArrayEquals(heard.logProbs(), told.stream().mapToDouble(logProb -> logProb).toArray(), 0);
  }

  @Test
  void aTokenIsToldBeforeTheNextIsDrawn() {
    AtomicInteger told = new AtomicInteger();
    CompletableFuture<List<Generation>> ended =
        session.generate(
            List.of(Stories.request(new int[] {1}, Stories.GREEDY, 1)),
            (i, token) -> {
              if (told.incrementAndGet() == 3) {
                throw new IllegalStateException("enough");
              }
            });
    CompletionException failure = assertThrows(CompletionException.class, ended::join);
    assertEquals("enough", failure.getCause().getMessage());
    assertEquals(3, told.get());
    // the session continues
    Generation next = Stories.one(session, Stories.request(new int[] {1}, Stories.GREEDY, 1));
    assertEquals(24, next.tokens().length);
  }

  @Test
  void whatNobodyWaitsForEnds() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    AtomicInteger told = new AtomicInteger();
    CompletableFuture<List<Generation>> result =
        session.generate(
            List.of(Stories.request(new int[] {1}, Sampling.greedy(500), 1)),
            (i, token) -> {
              told.incrementAndGet();
              begun.countDown();
              awaitQuietly(cancelled);
            });
    begun.await();
    assertTrue(result.cancel(true));
    cancelled.countDown();
    assertThrows(CancellationException.class, result::join);
    // what comes next waits for the end of what was canceled
    Stories.one(session, Stories.request(new int[] {1}, Stories.GREEDY, 1));
    assertEquals(1, told.get());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
