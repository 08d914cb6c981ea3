package roll.rollout.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.strategy.EngineLoad;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;

/** The limit of concurrent episodes against loads of an engine. */
@NullMarked
@Timeout(60)
class AdaptiveConcurrencyTest {
  private final ScriptedEngine engine = new ScriptedEngine();
  private long now;
  private final AdaptiveConcurrency concurrency = new AdaptiveConcurrency(engine, () -> now);
  private final List<Thread> waiting = new ArrayList<>();

  /** An engine whose load is set by the test. */
  private static final class ScriptedEngine implements Generator {
    CompletableFuture<EngineLoad> load = CompletableFuture.completedFuture(EngineLoad.UNKNOWN);
    int asked;

    @Override
    public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<EngineLoad> load() {
      asked++;
      return load;
    }
  }

  @AfterEach
  void interruptWaitingThreads() {
    waiting.forEach(Thread::interrupt);
  }

  /** Begins so many episodes, of which those beyond the limit wait. */
  private void begin(int episodes) {
    Semaphore permits = concurrency.permits();
    int free = Math.clamp(permits.availablePermits(), 0, episodes);
    assertTrue(permits.tryAcquire(free));
    for (int i = free; i < episodes; i++) {
      waiting.add(Thread.ofVirtual().start(this::waitForPermit));
    }
    awaitQueue(waiting.size());
  }

  private void awaitQueue(int length) {
    while (concurrency.permits().getQueueLength() != length) {
      Thread.onSpinWait();
    }
  }

  private void waitForPermit() {
    try {
      concurrency.permits().acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the limit after a query that returned the load. */
  private int after(double use, long preemptions) {
    return after(use, 0, preemptions);
  }

  private int after(double use, int queued, long preemptions) {
    engine.load = CompletableFuture.completedFuture(new EngineLoad(use, queued, preemptions));
    return afterQuery();
  }

  private int afterQuery() {
    now += 1_000_000_000;
    concurrency.adapt();
    concurrency.adapt();
    return concurrency.limit();
  }

  @Test
  void growsToTheTargetShareOfTheEngine() {
    begin(500);
    assertEquals(64, after(0.1, 0), "at most twice as many");
    awaitQueue(436);
    assertEquals(96, after(0.6, 0), "64 * 0.9 / 0.6");
    assertEquals(96, after(0.95, 0));
    awaitQueue(404);
  }

  @Test
  void doesNotGrowWhereNoEpisodeWaits() {
    begin(32);
    assertEquals(32, after(0.1, 0));
    assertEquals(Long.MAX_VALUE, concurrency.recheckNanos());
    begin(1);
    assertEquals(64, after(0.1, 0));
  }

  @Test
  void aPreemptionLowersIt() {
    begin(33);
    assertEquals(32, after(1, 7), "those before the first query are of an earlier rollout");
    assertEquals(24, after(1, 8));
    assertEquals(24, after(1, 9), "32 episodes still run");
    assertEquals(-8, concurrency.permits().availablePermits());
    concurrency.permits().release(20);
    awaitQueue(0);
    assertEquals(11, concurrency.permits().availablePermits());
  }

  @Test
  void requestsThatWaitInTheEngineLowerIt() {
    begin(40);
    assertEquals(27, after(1, 5, 0), "32 run");
    assertEquals(1, after(1, 90, 0));
  }

  @Test
  void oneEpisodeAlwaysRuns() {
    begin(1);
    after(1, 0);
    assertEquals(1, after(1, 1));
    assertEquals(1, after(1, 2));
  }

  @Test
  void doesNotGrowBeforeItsEpisodesReachTheEngine() {
    begin(200);
    assertEquals(32, after(0, 0));
    assertEquals(64, after(0.01, 0));
  }

  @Test
  void thereIsNoLimitWithoutAKnownLoad() {
    begin(200);
    engine.load = CompletableFuture.failedFuture(new IllegalStateException("no handler"));
    afterQuery();
    awaitQueue(0);
  }

  @Test
  void asksOnceAtATimeAndNotTooOften() {
    concurrency.adapt();
    concurrency.adapt();
    concurrency.adapt();
    assertEquals(1, engine.asked);
    engine.load = new CompletableFuture<>();
    afterQuery();
    afterQuery();
    assertEquals(2, engine.asked, "the second query has no answer");
    assertFalse(engine.load.isDone());
  }
}
