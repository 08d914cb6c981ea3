package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.model.Parameters;

/** Weights of 8 bits: what they are, and what an engine writes with them. */
final class QuantizationTest {
  /** Numbers so near are the same, 0 and -0 too. */
  private static final float EQUAL = 1e-30f;

  /** A model of one layer with one linear weight, and what is tested of it. */
  private static final String MODEL =
      """
      def plain_product(self, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
        return torch.linear(x, w, b)

      def layer_weights(self, w: List[Tensor], i: int) -> List[Tensor]:
        return w[1:2]

      def times(self, x: Tensor, w: Tensor, few: bool) -> Tensor:
        given = [w.to(15), w.to(15), w.to(15), w.to(15)]
        both = self.int8_weights(given)
        return self.product(x.to(15), both[1 if few else 5], None).to(6)
      """;

  /** The weight [out, within] as an engine reads it, that for few tokens or that for many. */
  private static float[] read(float[] weight, int out, int within, boolean few) {
    Map<String, Object> constants =
        new HashMap<>(Map.of("LAYERS", 1, "LAYER_SIZE", 1, "EXPERTS", 0, "EXPERT_SIZE", 0));
    List.of("Q", "K", "V", "O", "GATE", "UP", "DOWN").forEach(name -> constants.put(name, 0));
    List<String> sources = new ArrayList<>(List.of(MODEL));
    for (String name : List.of("reordered.py", "int8.py")) {
      sources.add(Kernels.source(StepKernels.class, name));
    }
    try (Device device = Device.cpu(1)) {
      return device.call(
          () -> {
            try (Kernels kernels = Kernels.compile(device, constants, sources);
                NDManager manager = device.newManager()) {
              NDArray w = manager.create(weight, new Shape(out, within));
              NDList columns = kernels.call(manager, "times", manager.eye(within), w, few);
              return columns.singletonOrThrow().transpose().toFloatArray();
            }
          });
    }
  }

  /** The nearest bf16, ties to even. */
  private static float narrow(float x) {
    int bits = Float.floatToIntBits(x);
    return Float.intBitsToFloat((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "5, 7", "4, 32", "33, 96", "96, 256"})
  void aWeightIsAWholeNumberTimesTheScaleOfItsChannel(int out, int within) {
    Random random = new Random(out);
    float[] weight = new float[out * within];
    for (int i = 0; i < weight.length; i++) {
      weight[i] = narrow((float) random.nextGaussian() * (1 + i / within));
    }
    float[] expected = new float[weight.length];
    for (int row = 0; row < out; row++) {
      float[] channel = Arrays.copyOfRange(weight, row * within, (row + 1) * within);
      float greatest = 0;
      for (float x : channel) {
        greatest = Math.max(greatest, Math.abs(x));
      }
      float scale = narrow(greatest / 127);
      for (int i = 0; i < within; i++) {
        double number = Math.clamp(Math.rint(channel[i] / scale), -127, 127);
        expected[row * within + i] = narrow((float) (number * scale));
      }
    }
    assertArrayEquals(expected, read(weight, out, within, true), EQUAL);
    assertArrayEquals(expected, read(weight, out, within, false), EQUAL);
  }

  @Test
  void aChannelOfZerosStaysZero() {
    assertArrayEquals(new float[6], read(new float[6], 2, 3, true));
    assertArrayEquals(new float[6], read(new float[6], 2, 3, false));
  }

  private static GenerationRequest request(int n) {
    int[] prompt = IntStream.range(0, 3 + 2 * n).map(i -> 5 + (i * (n + 1)) % 50).toArray();
    return Tiny.request(prompt, Sampling.of(6), n);
  }

  /** A request alone reads bytes after its prompt, many at once read what is reordered. */
  @Test
  void bothFormsSayTheSame() {
    List<GenerationRequest> requests = IntStream.range(0, 9).mapToObj(n -> request(n)).toList();
    try (Tiny tiny = new Tiny();
        VllmSession plain = tiny.open(Dtype.BF16);
        VllmSession session = tiny.open(Dtype.BF16, "quantization", "int8")) {
      List<Generation> together = session.generate(requests).join();
      List<Generation> unrounded = plain.generate(requests).join();
      int same = 0;
      boolean rounds = false;
      for (int n = 0; n < requests.size(); n++) {
        Generation alone = Tiny.one(session, requests.get(n));
        double first = alone.logProbs()[0];
        assertEquals(unrounded.get(n).logProbs()[0], first, 0.2);
        rounds |= unrounded.get(n).logProbs()[0] != first;
        if (Arrays.equals(alone.tokens(), together.get(n).tokens())) {
          same++;
          assertArrayEquals(together.get(n).logProbs(), alone.logProbs(), 0.1);
        }
      }
      assertTrue(same > 0, "all were written differently");
      assertTrue(rounds, "nothing was rounded");
    }
  }

  @Test
  void newWeightsAreRoundedAnewAndSleepCostsNothing() {
    try (Tiny tiny = new Tiny();
        VllmSession session = tiny.open(Dtype.BF16, "quantization", "int8")) {
      Generation first = Tiny.one(session, request(3));
      Parameters others = tiny.weights(5);
      session.update(others).join();
      Generation second = Tiny.one(session, request(3));
      assertFalse(Arrays.equals(first.logProbs(), second.logProbs()));
      session.sleep().join();
      session.wake().join();
      assertArrayEquals(second.logProbs(), Tiny.one(session, request(3)).logProbs());
      tiny.free(others);
    }
  }
}
