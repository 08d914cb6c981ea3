package roll.rollout.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.api.option.UserException;
import roll.api.scoring.SequenceScorer;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.api.strategy.Sampling;
import roll.rollout.supervise.EpisodeSlot;

/** Batches of requests, by models that respond when the test says so. */
@NullMarked
class ContinuousDispatcherTest {
  private final ContinuousDispatcher dispatcher = new ContinuousDispatcher();
  private final List<Call> calls = new ArrayList<>();
  private int slots;

  private final SequenceScorer scorer =
      sequences -> {
        Call call = new Call(sequences.stream().map(s -> s[0]).toList(), new CompletableFuture<>());
        calls.add(call);
        return call.scores();
      };

  /** The sequences of a call, and its answer: each sequence's token. */
  private record Call(List<Integer> sequences, CompletableFuture<double[]> scores) {
    void answer() {
      scores.complete(sequences.stream().mapToDouble(s -> s).toArray());
    }
  }

  private List<PendingRequest.Score> ask(int... sequences) {
    List<PendingRequest.Score> asked =
        Arrays.stream(sequences)
            .mapToObj(i -> new PendingRequest.Score(scorer, new int[] {i}, new PendingAnswer<>()))
            .toList();
    dispatcher.dispatch(slots(asked));
    return asked;
  }

  private SortedMap<EpisodeSlot, PendingRequest> slots(List<? extends PendingRequest> asked) {
    SortedMap<EpisodeSlot, PendingRequest> pending = new TreeMap<>();
    asked.forEach(ask -> pending.put(new EpisodeSlot("A", slots++, 0, 0, 0, 0), ask));
    return pending;
  }

  private List<List<Integer>> sent() {
    return calls.stream().map(Call::sequences).toList();
  }

  @Test
  void whatAModelIsAskedWhileItAnswersIsItsNextCall() {
    List<PendingRequest.Score> first = ask(1, 2);
    List<PendingRequest.Score> more = ask(3);
    List<PendingRequest.Score> most = ask(4, 5);
    assertEquals(List.of(List.of(1, 2)), sent());
    calls.getFirst().answer();
    assertEquals(List.of(List.of(1, 2), List.of(3, 4, 5)), sent());
    assertEquals(2, first.getLast().answer().join());
    assertFalse(more.getFirst().answer().isDone());
    calls.getLast().answer();
    assertEquals(3, more.getFirst().answer().join());
    assertEquals(5, most.getLast().answer().join());
    ask(6);
    assertEquals(3, calls.size(), "a model that has answered is free");
  }

  @Test
  void whoGaveUpIsNotAskedFor() {
    ask(1);
    List<PendingRequest.Score> more = ask(2, 3);
    more.getFirst().answer().cancel(true);
    calls.getFirst().answer();
    assertEquals(List.of(List.of(1), List.of(3)), sent());
    List<PendingRequest.Score> gone = ask(4);
    gone.getFirst().answer().cancel(true);
    calls.getLast().answer();
    ask(5);
    assertEquals(List.of(List.of(1), List.of(3), List.of(5)), sent());
  }

  @Test
  void aCallThatFailsFailsThoseInItAndTheNextIsSent() {
    List<PendingRequest.Score> first = ask(1);
    List<PendingRequest.Score> more = ask(2);
    calls.getFirst().scores().completeExceptionally(new UserException("it is too long"));
    CompletionException failed =
        assertThrows(CompletionException.class, () -> first.getFirst().answer().join());
    assertEquals("it is too long", String.valueOf(failed.getCause().getMessage()));
    calls.getLast().answer();
    assertEquals(2, more.getFirst().answer().join());
  }

  @Test
  void aModelThatThrowsInsteadOfAnsweringFailsItsRequestsOnly() {
    SequenceScorer throwing =
        sequences -> {
          throw new UserException("it is closed");
        };
    var ask = new PendingRequest.Score(throwing, new int[] {1}, new PendingAnswer<>());
    dispatcher.dispatch(slots(List.of(ask)));
    CompletionException failed = assertThrows(CompletionException.class, () -> ask.answer().join());
    assertEquals("it is closed", String.valueOf(failed.getCause().getMessage()));
    long before = dispatcher.nanos();
    assertEquals(before, dispatcher.nanos(), "nothing is in progress");
  }

  @Test
  void aModelThatBatchesContinuouslyGetsEachRequestAlone() {
    List<Integer> sizes = new ArrayList<>();
    Generator writer =
        new Generator() {
          @Override
          public boolean continuous() {
            return true;
          }

          @Override
          public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
            sizes.add(requests.size());
            return new CompletableFuture<>();
          }
        };
    GenerationRequest request = new GenerationRequest(new int[] {0}, Sampling.of(2), List.of(), 7);
    dispatcher.dispatch(
        slots(
            IntStream.range(0, 3)
                .mapToObj(i -> new PendingRequest.Response(writer, request, new PendingAnswer<>()))
                .toList()));
    assertEquals(List.of(1, 1, 1), sizes);
    assertTrue(dispatcher.nanos() > 0);
  }
}
