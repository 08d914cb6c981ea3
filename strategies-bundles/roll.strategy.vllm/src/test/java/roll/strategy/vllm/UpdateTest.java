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
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
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

  /** New weights, or the same ones changed in place; the second token waits for it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsBeingWrittenGoesOnWithTheNewWeights(boolean shared) {
    Parameters next = tiny.weights(2);
    next.version(7);
    Parameters before = tiny.weights(1);
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<Void> asked = new CompletableFuture<>();
    try (VllmSession session = tiny.open("block_size", 4);
        VllmSession old = tiny.open();
        VllmSession fresh = tiny.open()) {
      session.update(before).join();
      CompletableFuture<List<Generation>> running =
          session.generate(
              requests(),
              (i, token) -> {
                begun.complete(null);
                asked.join();
              });
      begun.join();
      CompletableFuture<?> updated =
          shared ? tiny.device.submit(() -> become(before, next, 7)) : session.update(next);
      asked.complete(null);
      updated.join();
      List<Generation> written = running.join();
      fresh.update(next).join();
      for (int i = 0; i < written.size(); i++) {
        Generation generation = written.get(i);
        int[] prompt = requests().get(i).prompt();
        long[] versions = generation.weightVersions();
        int change = (int) Arrays.stream(versions).filter(version -> version == 0).count();
        assertTrue(change > 0 && change < LENGTH, "the weights did not change within");
        assertEquals(7, versions[change]);
        assertEquals(7, versions[LENGTH - 1]);
        double[] first = SessionTest.scores(old, prompt, generation.tokens());
        double[] then = SessionTest.scores(fresh, prompt, generation.tokens());
        double[] expected = then.clone();
        System.arraycopy(first, 0, expected, 0, change);
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
