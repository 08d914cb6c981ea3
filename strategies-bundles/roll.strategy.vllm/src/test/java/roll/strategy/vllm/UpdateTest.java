package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.ReadableWeights;
import roll.api.strategy.Sampling;
import roll.api.strategy.WeightsHandle;
import roll.torch.model.Parameters;

/** Weights that change before, between and under requests. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class UpdateTest {
  private static final int LENGTH = 100;

  @AutoClose private final Tiny tiny = new Tiny();

  private static List<GenerationRequest> requests() {
    return IntStream.range(0, 6)
        .mapToObj(i -> Tiny.request(new int[] {i / 2, 5, 7, i / 2}, Sampling.of(LENGTH), i))
        .toList();
  }

  /** The source of new weights: another object, an optimizer, or a node's copy. */
  private enum Change {
    GIVEN,
    TRAINED,
    RECEIVED
  }

  /** Weights as a node receives them: a session copies them. */
  private record Received(Parameters sent) implements ReadableWeights {
    @Override
    public long version() {
      return sent.version();
    }

    @Override
    public DecoderSpec spec() {
      return sent.spec();
    }

    @Override
    public void read(int index, long first, MemorySegment target) {
      sent.read(index, first, target);
    }
  }

  private static WeightsHandle handle(Change change, Parameters weights) {
    return change == Change.RECEIVED ? new Received(weights) : weights;
  }

  private CompletableFuture<?> change(
      Change change, VllmSession session, Parameters before, Parameters next) {
    return change == Change.TRAINED
        ? tiny.device.submit(() -> become(before, next, 7))
        : session.update(handle(change, next));
  }

  /** The second token waits for the new weights. */
  @ParameterizedTest
  @EnumSource(Change.class)
  void whatIsBeingWrittenGoesOnWithTheNewWeights(Change change) {
    Parameters next = tiny.weights(2);
    next.version(7);
    Parameters before = tiny.weights(1);
    try (VllmSession session = tiny.open("block_size", 4);
        VllmSession old = tiny.open();
        VllmSession fresh = tiny.open()) {
      session.update(handle(change, before)).join();
      List<Generation> written =
          updatedWithin(session, () -> change(change, session, before, next));
      fresh.update(next).join();
      for (int i = 0; i < written.size(); i++) {
        Generation generation = written.get(i);
        int[] prompt = requests().get(i).prompt();
        int since = since(generation);
        double[] first = SessionTest.scores(old, prompt, generation.tokens());
        double[] then = SessionTest.scores(fresh, prompt, generation.tokens());
        double[] expected = then.clone();
        System.arraycopy(first, 0, expected, 0, since);
        assertArrayEquals(expected, generation.logProbs(), 1e-4);
      }
      assertEquals(session.engine().freeBlocks(), fresh.engine().freeBlocks() * 4);
    } finally {
      tiny.free(next);
      tiny.free(before);
    }
  }

  /** Writes {@code other} over {@code weights}, as an optimizer would. */
  private static boolean become(Parameters weights, Parameters other, long version) {
    for (int i = 0; i < weights.tensors().size(); i++) {
      MemorySegment.copy(other.memory(i), 0, weights.memory(i), 0, weights.memory(i).byteSize());
    }
    weights.version(version);
    return true;
  }

  /** The prefix cache belongs to the weights that wrote it. */
  @ParameterizedTest
  @EnumSource(Dtype.class)
  void theCacheIsForgottenWithTheWeights(Dtype dtype) {
    Parameters next = tiny.weights(2);
    next.version(3);
    GenerationRequest request = requests().getFirst();
    try (VllmSession session = tiny.open(dtype);
        VllmSession fresh = tiny.open(dtype)) {
      Generation before = Tiny.one(session, request);
      session.update(next).join();
      fresh.update(next).join();
      Generation after = Tiny.one(session, request);
      assertFalse(Arrays.equals(before.logProbs(), after.logProbs()));
      assertArrayEquals(Tiny.one(fresh, request).logProbs(), after.logProbs(), 0);
      assertTrue(Arrays.stream(after.weightVersions()).allMatch(version -> version == 3));
    } finally {
      tiny.free(next);
    }
  }

  /**
   * With {@code partial_rollout_cache: keep} a token is sampled by the new weights over the keys
   * and values of the old, which later requests do not find, although they share the prefix.
   */
  @ParameterizedTest
  @EnumSource(Change.class)
  void theCacheOfAResponseIsKeptIfConfigured(Change change) {
    Parameters before = tiny.weights(1);
    Parameters next = tiny.weights(2);
    next.version(7);
    try (VllmSession keeping = tiny.open("block_size", 4, "partial_rollout_cache", "keep");
        VllmSession old = tiny.open();
        VllmSession fresh = tiny.open()) {
      fresh.update(next).join();
      keeping.update(handle(change, before)).join();
      List<Generation> kept = updatedWithin(keeping, () -> change(change, keeping, before, next));
      for (int i = 0; i < kept.size(); i++) {
        Generation generation = kept.get(i);
        int[] prompt = requests().get(i).prompt();
        int since = since(generation);
        double[] first = SessionTest.scores(old, prompt, generation.tokens());
        double[] alone = SessionTest.scores(fresh, prompt, generation.tokens());
        double farthest =
            IntStream.range(since, LENGTH)
                .mapToDouble(t -> Math.abs(alone[t] - generation.logProbs()[t]))
                .max()
                .orElseThrow();
        assertArrayEquals(
            Arrays.copyOf(first, since), Arrays.copyOf(generation.logProbs(), since), 1e-4);
        assertTrue(farthest > 1e-2, "the tokens before were computed again");
      }
      GenerationRequest request = requests().getFirst();
      int[] prompt = request.prompt();
      int[] longer = Arrays.copyOf(prompt, prompt.length + LENGTH);
      System.arraycopy(kept.getFirst().tokens(), 0, longer, prompt.length, LENGTH);
      for (GenerationRequest later : List.of(request, Tiny.request(longer, Sampling.of(9), 3))) {
        assertArrayEquals(
            Tiny.one(fresh, later).logProbs(), Tiny.one(keeping, later).logProbs(), 1e-4);
      }
    } finally {
      tiny.free(next);
      tiny.free(before);
    }
  }

  /** Returns the number of tokens before the new weights. */
  private static int since(Generation generation) {
    long[] versions = generation.weightVersions();
    int since = (int) Arrays.stream(versions).filter(version -> version == 0).count();
    assertTrue(since > 0 && since < LENGTH, "the weights did not change within");
    assertEquals(7, versions[since]);
    assertEquals(7, versions[LENGTH - 1]);
    return since;
  }

  /** Generates {@link #requests}; {@code update} is called between the first two tokens. */
  private static List<Generation> updatedWithin(
      VllmSession session, Supplier<CompletableFuture<?>> update) {
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<Void> asked = new CompletableFuture<>();
    CompletableFuture<List<Generation>> running =
        session.generate(
            requests(),
            (i, token) -> {
              begun.complete(null);
              asked.join();
            });
    begun.join();
    CompletableFuture<?> updated = update.get();
    asked.complete(null);
    updated.join();
    return running.join();
  }

  /**
   * With {@code partial_rollout: false} responses in flight end first, whatever is done to the
   * trainer's weights meanwhile; later calls begin after the update.
   */
  @Test
  void responsesInFlightEndFirstIfConfigured() {
    Parameters before = tiny.weights(1);
    Parameters next = tiny.weights(2);
    next.version(7);
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<Void> asked = new CompletableFuture<>();
    try (VllmSession session = tiny.open("partial_rollout", false);
        VllmSession old = tiny.open();
        VllmSession fresh = tiny.open()) {
      session.update(before).join();
      fresh.update(next).join();
      CompletableFuture<List<Generation>> running =
          session.generate(
              requests(),
              (i, token) -> {
                begun.complete(null);
                asked.join();
              });
      begun.join();
      var trained = tiny.device.submit(() -> become(before, next, 5));
      CompletableFuture<Void> updated =
          session.update(next).thenRun(() -> assertTrue(running.isDone(), "updated within"));
      CompletableFuture<List<Generation>> later = session.generate(requests());
      asked.complete(null);
      updated.join();
      trained.join();
      for (int i = 0; i < requests().size(); i++) {
        int[] prompt = requests().get(i).prompt();
        Generation first = running.join().get(i);
        Generation second = later.join().get(i);
        assertTrue(Arrays.stream(first.weightVersions()).allMatch(version -> version == 0));
        assertTrue(Arrays.stream(second.weightVersions()).allMatch(version -> version == 7));
        assertArrayEquals(SessionTest.scores(old, prompt, first.tokens()), first.logProbs(), 1e-4);
        assertArrayEquals(
            SessionTest.scores(fresh, prompt, second.tokens()), second.logProbs(), 1e-4);
      }
    } finally {
      tiny.free(next);
      tiny.free(before);
    }
  }

  @Test
  void weightsOfAnotherModelAreRefused() {
    try (VllmSession session = tiny.open()) {
      WeightsHandle foreign = () -> 5;
      CompletionException failure =
          assertThrows(CompletionException.class, session.update(foreign)::join);
      assertTrue(failure.getCause().getMessage().startsWith("weights of another compute layer"));
      assertEquals(
          9, Tiny.one(session, Tiny.request(new int[] {1}, Sampling.of(9), 1)).tokens().length);
    }
  }

  /** Masters in f32, weights in bf16: shared again, without a copy. */
  @Test
  void bf16IsSharedOrCopied() {
    GenerationRequest request = requests().getFirst();
    List<double[]> found = new ArrayList<>();
    for (boolean narrow : new boolean[] {false, true}) {
      Parameters next = tiny.weights(2);
      try (VllmSession session = tiny.open(Dtype.BF16)) {
        tiny.device.call(
            () -> {
              if (narrow) {
                next.narrow(tiny.device);
              }
              return true;
            });
        session.update(next).join();
        found.add(Tiny.one(session, request).logProbs());
      } finally {
        tiny.free(next);
      }
    }
    assertArrayEquals(found.getFirst(), found.getLast(), 0);
  }
}
