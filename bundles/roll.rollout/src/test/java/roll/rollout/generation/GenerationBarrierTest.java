package roll.rollout.generation;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.rollout.TablePolicy;
import roll.rollout.supervise.Attempt;
import roll.rollout.supervise.AttemptResult;
import roll.rollout.supervise.EpisodePermit;
import roll.rollout.supervise.EpisodeSlot;
import roll.rollout.supervise.ResponseReplay;
import roll.runtime.trace.Span;

@NullMarked
@Timeout(60)
class GenerationBarrierTest {
  private static final EpisodeSlot SLOT = new EpisodeSlot("A", 0, 0, 0, 0, 7);

  private final GenerationBarrier barrier = new GenerationBarrier();

  private Attempt attempt() {
    EpisodePermit none = new EpisodePermit(null);
    barrier.enter();
    return new Attempt(SLOT, 0, none, none, ResponseReplay.none());
  }

  @Test
  void anAttemptThatEndsLateLeavesTheRequestOfTheNextOne() {
    Attempt before = attempt();
    assertTrue(before.close(), "it ends by itself, which the barrier does not know yet");
    Attempt again = attempt();
    again.start(() -> ask(again));
    await().atMost(Duration.ofMinutes(1)).until(() -> barrier.due(0));
    barrier.end(new AttemptResult(before, null, new IllegalStateException("late")));
    assertEquals(List.of(SLOT), List.copyOf(barrier.take().keySet()));
    again.interrupt();
  }

  private void ask(Attempt attempt) {
    GenerationRequest request = new GenerationRequest(new int[] {0}, Sampling.of(2), List.of(), 7);
    try {
      var unused = barrier.generate(attempt, new TablePolicy(0.5), request, Span.none());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the test is over
    }
  }
}
