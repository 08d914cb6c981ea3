package roll.rollout.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.api.option.UserException;
import roll.api.scoring.SequenceScorer;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.api.strategy.Sampling;

/** Calls that are answered when the test says so. */
@NullMarked
class ModelCallTest {
  private final CompletableFuture<double[]> scores = new CompletableFuture<>();
  private final CompletableFuture<List<Generation>> words = new CompletableFuture<>();
  private final List<Integer> sizes = new ArrayList<>();
  private final AtomicInteger ended = new AtomicInteger();

  private final SequenceScorer scorer =
      sequences -> {
        sizes.add(sequences.size());
        return scores;
      };
  private final Generator writer =
      requests -> {
        sizes.add(requests.size());
        return words;
      };

  private List<PendingRequest.Score> sequences(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new PendingRequest.Score(scorer, new int[] {i}, new PendingAnswer<>()))
        .toList();
  }

  private PendingRequest.Response request() {
    GenerationRequest request = new GenerationRequest(new int[] {0}, Sampling.of(2), List.of(), 7);
    return new PendingRequest.Response(writer, request, new PendingAnswer<>());
  }

  @Test
  void eachModelIsCalledOnceForAllThatAskIt() {
    List<PendingRequest.Score> asked = sequences(2);
    PendingRequest.Response written = request();
    List<ModelCall<?>> calls = ModelCall.begin(List.of(asked.getFirst(), written, asked.getLast()));
    calls.forEach(call -> call.forward(ended::incrementAndGet));
    assertEquals(List.of(1, 2), sizes);
    scores.complete(new double[] {0.25, -3});
    assertEquals(0.25, asked.getFirst().answer().join());
    assertEquals(-3, asked.getLast().answer().join());
    assertFalse(written.answer().isDone());
    assertEquals(1, ended.get());
    words.complete(List.of(new Generation(new int[1], new double[1], new double[1], true, 1)));
    assertEquals(1, written.answer().join().tokens().length);
    assertEquals(2, ended.get());
  }

  /** The call continues while one of them waits. */
  @Test
  void aCallEndsWithTheLastWhoWaits() {
    List<PendingRequest.Score> asked = sequences(2);
    ModelCall.begin(List.copyOf(asked)).forEach(call -> call.forward(ended::incrementAndGet));
    asked.getFirst().answer().cancel(true);
    assertFalse(scores.isDone());
    asked.getLast().answer().cancel(true);
    assertTrue(scores.isCancelled());
    assertEquals(1, ended.get());
  }

  @Test
  void everybodyHearsOfAFailure() {
    List<PendingRequest.Score> asked = sequences(2);
    ModelCall.begin(List.copyOf(asked)).forEach(call -> call.forward(ended::incrementAndGet));
    scores.completeExceptionally(new UserException("it is too long"));
    for (PendingRequest.Score one : asked) {
      CompletionException failed =
          assertThrows(CompletionException.class, () -> one.answer().join());
      assertEquals("it is too long", String.valueOf(failed.getCause().getMessage()));
    }
  }

  @Test
  void fewerScoresThanSequencesAreAFailure() {
    List<PendingRequest.Score> asked = sequences(2);
    ModelCall.begin(List.copyOf(asked)).forEach(call -> call.forward(ended::incrementAndGet));
    scores.complete(new double[1]);
    CompletionException failed =
        assertThrows(CompletionException.class, () -> asked.getFirst().answer().join());
    assertEquals(
        "2 requests were answered by 1 responses", String.valueOf(failed.getCause().getMessage()));
  }
}
