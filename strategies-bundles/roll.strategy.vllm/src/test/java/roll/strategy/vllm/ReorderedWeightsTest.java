package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.torch.model.Parameters;

/** Weights in oneDNN's order say what the plain ones say, also after they have changed. */
final class ReorderedWeightsTest {
  private static final List<GenerationRequest> REQUESTS =
      IntStream.rangeClosed(1, 9)
          .mapToObj(
              n ->
                  new GenerationRequest(
                      IntStream.range(0, 7 * n).map(i -> 5 + (i * n) % 50).toArray(),
                      Sampling.of(6),
                      List.of(),
                      n))
          .toList();

  private static double bound(Dtype dtype) {
    return dtype == Dtype.BF16 ? 0.1 : 1e-4;
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void sameLogProbs(Dtype dtype) {
    try (Tiny tiny = new Tiny();
        VllmSession plain = tiny.open(dtype, "reorder_weights", false);
        VllmSession reordered = tiny.open(dtype, "reorder_weights", true)) {
      double[] first = same(plain, reordered, dtype);
      Parameters others = tiny.weights(5);
      plain.update(others).join();
      reordered.update(others).join();
      double[] second = same(plain, reordered, dtype);
      assertFalse(Arrays.equals(first, second), "the weights did not change");
      reordered.sleep().join();
      reordered.wake().join();
      assertArrayEquals(second, same(plain, reordered, dtype));
      tiny.free(others);
    }
  }

  /** The log-probs of the first tokens, which are the same within the bound. */
  private static double[] same(VllmSession plain, VllmSession reordered, Dtype dtype) {
    List<Generation> expected = plain.generate(REQUESTS).join();
    List<Generation> found = reordered.generate(REQUESTS).join();
    double[] first = new double[REQUESTS.size()];
    for (int i = 0; i < first.length; i++) {
      double[] a = expected.get(i).logProbs();
      double[] b = found.get(i).logProbs();
      if (expected.get(i).tokens()[0] == found.get(i).tokens()[0]) {
        assertEquals(a[0], b[0], bound(dtype));
      }
      if (Arrays.equals(expected.get(i).tokens(), found.get(i).tokens())) {
        assertArrayEquals(a, b, bound(dtype));
      }
      first[i] = b[0];
    }
    if (dtype == Dtype.FP32) {
      assertEquals(tokens(expected), tokens(found));
    }
    return first;
  }

  private static List<List<Integer>> tokens(List<Generation> generations) {
    return generations.stream()
        .map(generation -> Arrays.stream(generation.tokens()).boxed().toList())
        .toList();
  }
}
