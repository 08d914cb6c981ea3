package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
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
import roll.api.strategy.Sampling;
import roll.decoder.DecoderParameters;
import roll.torch.model.Parameters;
import roll.torch.model.WeightSource;

/** Weights that are not those of the session's own device. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WeightSourceTest {
  /** A session with these settings repeats bit for bit, independent of earlier responses. */
  private static final Object[] REPEATING = {
    "deterministic", true, "enable_prefix_caching", false, "block_size", 4
  };

  @AutoClose private final Tiny tiny = new Tiny();

  /** Weights in Java's memory, as if gathered from somewhere. */
  private record Gathered(DecoderSpec spec, List<float[]> numbers, long version)
      implements WeightSource {
    static Gathered of(Parameters parameters) {
      List<float[]> numbers = new ArrayList<>();
      for (int i = 0; i < DecoderParameters.of(parameters.spec()).size(); i++) {
        numbers.add(parameters.memory(i).toArray(ValueLayout.JAVA_FLOAT));
      }
      return new Gathered(parameters.spec(), numbers, parameters.version());
    }

    @Override
    public void read(int index, long first, MemorySegment target) {
      MemorySegment.copy(
          MemorySegment.ofArray(numbers.get(index)),
          first * Float.BYTES,
          target,
          0,
          target.byteSize());
    }
  }

  private static List<Generation> write(VllmSession session) {
    return session
        .generate(
            IntStream.range(0, 6)
                .mapToObj(i -> Tiny.request(new int[] {i / 2, 5, 7, i}, Sampling.of(30), i))
                .toList())
        .join();
  }

  private static void assertSame(List<Generation> expected, List<Generation> found, long version) {
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i).tokens(), found.get(i).tokens());
      assertArrayEquals(expected.get(i).logProbs(), found.get(i).logProbs(), 0);
      assertTrue(Arrays.stream(found.get(i).weightVersions()).allMatch(v -> v == version));
    }
  }

  /** Shared, copied from another device, overwritten, shared again. */
  @ParameterizedTest
  @EnumSource(Dtype.class)
  void whereWeightsLieChangesNothing(Dtype dtype) {
    Parameters weights = tiny.weights(2);
    weights.version(4);
    Gathered gathered = Gathered.of(weights);
    Parameters others = tiny.weights(3);
    others.version(5);
    Gathered different = Gathered.of(others);
    int[] prompt = {3, 1, 4, 1, 5};
    int[] tokens = {9, 2, 6, 5};
    tiny.device.call(
        () -> {
          if (dtype == Dtype.BF16) {
            weights.narrow(tiny.device);
            others.narrow(tiny.device);
          }
          return true;
        });
    try (VllmSession shared = tiny.open(dtype, REPEATING);
        VllmSession copied = tiny.open(dtype, REPEATING)) {
      shared.update(weights).join();
      List<Generation> expected = write(shared);
      double[] scores = SessionTest.scores(shared, prompt, tokens);
      copied.update(gathered).join();
      assertSame(expected, write(copied), 4);
      assertArrayEquals(scores, SessionTest.scores(copied, prompt, tokens), 0);
      shared.update(others).join();
      copied.update(different).join();
      assertSame(write(shared), write(copied), 5);
      copied.update(weights).join();
      assertSame(expected, write(copied), 4);
      copied.sleep().join();
      copied.update(gathered).join();
      assertSame(expected, write(copied), 4);
    } finally {
      tiny.free(weights);
      tiny.free(others);
    }
  }

  /** Weights copied from another device are kept by sleep. */
  @Test
  void copiesSurviveTheDeepestSleep() {
    Parameters weights = tiny.weights(2);
    Object[] options = Arrays.copyOf(REPEATING, REPEATING.length + 2);
    options[REPEATING.length] = "sleep_level";
    options[REPEATING.length + 1] = 2;
    try (VllmSession session = tiny.open(options)) {
      session.update(Gathered.of(weights)).join();
      List<Generation> expected = write(session);
      session.sleep().join();
      assertSame(expected, write(session), 0);
    } finally {
      tiny.free(weights);
    }
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void whatATrainerElsewhereDoesIsSeenAtTheNextUpdate(Dtype dtype) {
    Parameters trained = tiny.weights(tiny.half(0), 2);
    Parameters next = tiny.weights(tiny.half(0), 3);
    try (VllmSession session = tiny.openOn(List.of(1), 2, dtype, REPEATING)) {
      session.update(trained).join();
      List<Generation> before = write(session);
      GenerationRequest lengthy = Tiny.request(new int[] {1, 2, 3}, Sampling.of(200), 8);
      var running = session.generate(List.of(lengthy));
      tiny.half(0)
          .call(
              () -> {
                for (int i = 0; i < trained.tensors().size(); i++) {
                  MemorySegment.copy(
                      next.memory(i), 0, trained.memory(i), 0, trained.memory(i).byteSize());
                }
                trained.version(7);
                return true;
              });
      assertTrue(Arrays.stream(running.join().getFirst().weightVersions()).allMatch(v -> v == 0));
      assertSame(before, write(session), 0);
      session.update(trained).join();
      List<Generation> after = write(session);
      assertFalse(Arrays.equals(before.getFirst().logProbs(), after.getFirst().logProbs()));
      next.version(7);
      try (VllmSession fresh = tiny.openOn(List.of(1), 2, dtype, REPEATING)) {
        fresh.update(next).join();
        assertSame(write(fresh), after, 7);
      }
    } finally {
      tiny.free(trained);
      tiny.free(next);
    }
  }

  /** Unreadable weights cause one error, and the session can be closed. */
  @Test
  void aSourceThatFailsFailsTheUpdate() {
    Parameters weights = tiny.weights(2);
    WeightSource broken =
        new WeightSource() {
          @Override
          public DecoderSpec spec() {
            return weights.spec();
          }

          @Override
          public long version() {
            return 1;
          }

          @Override
          public void read(int index, long first, MemorySegment target) {
            throw new IllegalStateException("rank 1 failed");
          }
        };
    try (VllmSession session = tiny.open(REPEATING)) {
      CompletionException failure =
          assertThrows(CompletionException.class, session.update(broken)::join);
      assertEquals("rank 1 failed", failure.getCause().getMessage());
      session.update(weights).join();
      assertEquals(30, write(session).getFirst().tokens().length);
    } finally {
      tiny.free(weights);
    }
  }
}
