package roll.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.device.DeterministicAlgorithms;
import roll.api.model.DecoderSpec;
import roll.testkit.SmallDecoder;
import roll.torch.foreign.GlobalContext;
import roll.torch.model.Decoder;
import roll.torch.model.Head;
import roll.torch.model.Parameters;

/** Deterministic algorithms on the CPU: they are on while they are used, and change no bit. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TorchDeterminismTest {
  /** An operation without a deterministic algorithm on any device, and a product by oneDNN. */
  private static final String KERNELS =
      """
      def put(self, x: Tensor) -> Tensor:
        i = torch.zeros([1], dtype=4, device=x.device)
        return x.flatten().put(i, torch.ones([1], device=x.device), False)
      def product(self, x: Tensor, w: Tensor) -> Tensor:
        n, c = x.shape
        y = torch.conv2d(x.view(1, n, 1, c).permute(0, 3, 1, 2), w.view(w.shape[0], c, 1, 1))
        return y.permute(0, 2, 3, 1).flatten()
      def empty(self, x: Tensor) -> Tensor:
        y = torch.empty_like(x)
        y.fill_(2.)
        del y
        return torch.empty_like(x)
      """;

  private final Device device = Device.cpu(2);
  private final Devices devices = Devices.on(device);
  private final DeterministicAlgorithms algorithms = new TorchDeterminism(devices);
  private final Kernels kernels =
      device.call(() -> Kernels.compile(device, Map.of(), List.of(KERNELS)));

  @AfterAll
  void close() {
    device.call(
        () -> {
          kernels.close();
          return true;
        });
    devices.close();
  }

  private float[] put() {
    return device.call(
        () -> {
          try (NDManager owner = device.newManager()) {
            var x = owner.create(new float[] {5, 6});
            return kernels.call(owner, "put", x).singletonOrThrow().toFloatArray();
          }
        });
  }

  @Test
  void theyAreOnUntilTheLastUseEnds() {
    assertArrayEquals(new float[] {1, 6}, put());
    GlobalContext context = new GlobalContext();
    assertFalse(context.deterministic());
    DeterministicAlgorithms.Use first = algorithms.use();
    DeterministicAlgorithms.Use second = algorithms.use();
    assertTrue(context.deterministic());
    second.close();
    second.close();
    assertTrue(context.deterministic());
    first.close();
    assertFalse(context.deterministic());
    assertArrayEquals(new float[] {1, 6}, put());
  }

  @Test
  void anOperationThatHasNoneIsRefusedInOneLine() {
    try (DeterministicAlgorithms.Use _ = algorithms.use()) {
      assertEquals(
          "full_determinism: expected false, found 'true': libtorch has no deterministic algorithm"
              + " for put_ on this device",
          userError(this::put));
    }
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void gradientsAreTheSameBits(Dtype dtype) {
    DecoderSpec spec = SmallDecoder.decoder(11, 16, 24, 2, 4, 2, LinearLoss.ALL);
    LinearLoss loss = new LinearLoss(device);
    device.call(
        () -> {
          try (Parameters parameters = Parameters.random(device, spec, 3);
              Decoder decoder = new Decoder(device, spec, Precision.of(dtype), 16)) {
            Head head = Head.of(decoder);
            List<int[]> parts = List.of(new int[] {2}, new int[] {0, 1});
            double[][] expected = loss.gradients(parameters, decoder, head, parts);
            try (DeterministicAlgorithms.Use _ = algorithms.use()) {
              double[][] found = loss.gradients(parameters, decoder, head, parts);
              for (int p = 0; p < expected.length; p++) {
                assertArrayEquals(expected[p], found[p]);
              }
            }
          }
          return true;
        });
  }

  @Test
  void productsByOneDnnAreTheSameBits() {
    float[] expected = product();
    try (DeterministicAlgorithms.Use _ = algorithms.use()) {
      assertArrayEquals(expected, product());
    }
  }

  private float[] product() {
    return device.call(
        () -> {
          try (NDManager owner = device.newManager()) {
            var x = owner.create(waves(256 * 96), new Shape(256, 96));
            var w = owner.create(waves(64 * 96), new Shape(64, 96));
            return kernels.call(owner, "product", x, w).singletonOrThrow().toFloatArray();
          }
        });
  }

  private static float[] waves(int count) {
    float[] waves = new float[count];
    for (int i = 0; i < count; i++) {
      waves[i] = (float) Math.sin(i);
    }
    return waves;
  }

  /** PyTorch would fill them with NaN, at a cost. */
  @Test
  void newTensorsAreNotFilled() {
    try (DeterministicAlgorithms.Use _ = algorithms.use()) {
      float[] found =
          device.call(
              () -> {
                try (NDManager owner = device.newManager()) {
                  var x = owner.create(new float[8]);
                  return kernels.call(owner, "empty", x).singletonOrThrow().toFloatArray();
                }
              });
      assertFalse(Float.isNaN(found[0]), "it was filled");
    }
  }
}
