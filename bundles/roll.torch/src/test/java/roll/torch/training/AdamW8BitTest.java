package roll.torch.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.api.config.OptimizerName;
import roll.api.data.RandomStreams;
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;
import roll.testkit.SmallDecoder;
import roll.torch.Device;
import roll.torch.model.TrainedParameters;
import roll.torch.training.TrainState.Kind;

/** Moments are bytes with a scale for each block of 256. */
class AdamW8BitTest {
  private static final AdamW.Settings SETTINGS = new AdamW.Settings(0.9, 0.99, 1e-8, 0.1, 1e9);
  private static final int SIZE = 264_000; // more than a part, and a quarter of a block
  private static final int BLOCKS = 1_032;
  private static final Shape SHAPE = new Shape(SIZE / 3, 3);
  private static final double RATE = 0.01;

  /** Decades are divided into 1, 2, 4, …, 64 parts, with a sign, or 2, 4, …, 128 without. */
  @Test
  void codesAreTheMiddlesOfPartsOfDecades() {
    float[] signed = DynamicCodes.signed();
    assertEquals(256, signed.length);
    assertEquals(0, signed[127]);
    assertEquals(0.55e-6f, signed[128]);
    assertEquals(0.325e-5f, signed[129]);
    assertEquals(0.775e-5f, signed[130]);
    assertEquals(1, signed[255]);
    assertEquals(1 - 0.9f / 128, signed[254], 1e-7f);
    assertEquals(-1 + 0.9f / 128, signed[0], 1e-7f);
    float[] unsigned = DynamicCodes.unsigned();
    assertEquals(0, unsigned[0]);
    assertEquals(0.325e-6f, unsigned[1]);
    assertEquals(0.775e-6f, unsigned[2]);
    assertEquals(1 - 0.9f / 256, unsigned[254], 1e-7f);
    assertEquals(1, unsigned[255]);
    for (float[] codes : List.of(signed, unsigned)) {
      for (int i = 1; i < 256; i++) {
        assertTrue(codes[i - 1] < codes[i]);
        assertEquals((codes[i - 1] + codes[i]) / 2, DynamicCodes.ends(codes)[i - 1]);
      }
    }
  }

  /** Numbers with the same upper 16 bits have one of two bytes. */
  @Test
  void startsAreTheNextByteAtMostBelow() {
    for (float[] codes : List.of(DynamicCodes.signed(), DynamicCodes.unsigned())) {
      float[] ends = DynamicCodes.ends(codes);
      byte[] starts = DynamicCodes.starts(ends);
      for (int i = 0; i < 255; i++) {
        int upper = Float.floatToRawIntBits(ends[i]) >> 16;
        assertNotEquals(upper, Float.floatToRawIntBits(ends[i + 1]) >> 16);
        assertEquals(i, starts[upper + 32768] & 0xFF);
      }
    }
  }

  /** Each step is AdamW's from the moments of the bytes, which are the nearest codes. */
  @Test
  void stepsAreThoseOfAdamWFromStoredMoments() {
    RandomGenerator random = RandomStreams.of(3, "adamw");
    float[] start = floats(random.doubles(SIZE, -1, 1).toArray());
    try (Device device = Device.cpu(1)) {
      device.call(
          () -> {
            try (NDManager manager = device.newManager()) {
              NDArray weights = manager.create(start, SHAPE);
              try (Optimizer optimizer = optimizer(device, weights)) {
                for (int step = 1; step <= 3; step++) {
                  step(random, manager, optimizer, weights, step);
                }
              }
            }
            return true;
          });
    }
  }

  private static void step(
      RandomGenerator random, NDManager manager, Optimizer optimizer, NDArray weights, int step) {
    double[] first = moments(optimizer, Kind.FIRST, Kind.FIRST_SCALES, DynamicCodes.signed());
    double[] second = moments(optimizer, Kind.SECOND, Kind.SECOND_SCALES, DynamicCodes.unsigned());
    double[] gradient = random.doubles(SIZE, -step, step).map(x -> x * x * x).toArray();
    float[] before = weights.toFloatArray();
    double[] expected = new double[SIZE];
    for (int i = 0; i < SIZE; i++) {
      double g = (float) gradient[i];
      first[i] = 0.9 * first[i] + 0.1 * g;
      second[i] = 0.99 * second[i] + 0.01 * g * g;
      double root = Math.sqrt(second[i] / (1 - Math.pow(0.99, step))) + 1e-8;
      double moved = first[i] / (1 - Math.pow(0.9, step)) / root;
      expected[i] = before[i] * (1 - RATE * 0.1) - RATE * moved;
    }
    optimizer.step(new NDList(manager.create(floats(gradient), SHAPE)), RATE);
    assertArrayEquals(floats(expected), weights.toFloatArray(), 2e-6f);
    check(first, optimizer, Kind.FIRST, Kind.FIRST_SCALES, DynamicCodes.signed());
    check(second, optimizer, Kind.SECOND, Kind.SECOND_SCALES, DynamicCodes.unsigned());
  }

  private static void check(
      double[] exact, Optimizer optimizer, Kind bytes, Kind scales, float[] codes) {
    double[] stored = moments(optimizer, bytes, scales, codes);
    float[] scale = Objects.requireNonNull(optimizer.kept(scales, 0)).toFloatArray();
    for (int i = 0; i < SIZE; i++) {
      double largest = 0;
      for (int j = i / 256 * 256; j < Math.min(SIZE, (i / 256 + 1) * 256); j++) {
        largest = Math.max(largest, Math.abs(exact[j]));
      }
      assertEquals(largest, scale[i / 256], 1e-6 * largest);
      double nearest = Double.POSITIVE_INFINITY;
      for (float code : codes) {
        if (bytes == Kind.FIRST || code > 0) {
          nearest = Math.min(nearest, Math.abs(code * largest - exact[i]));
        }
      }
      assertEquals(nearest, Math.abs(stored[i] - exact[i]), 1e-6 * largest);
    }
  }

  private static double[] moments(Optimizer optimizer, Kind bytes, Kind scales, float[] codes) {
    int[] stored = Objects.requireNonNull(optimizer.kept(bytes, 0)).toUint8Array();
    float[] scale = Objects.requireNonNull(optimizer.kept(scales, 0)).toFloatArray();
    assertEquals(BLOCKS, scale.length);
    return IntStream.range(0, SIZE)
        .mapToDouble(i -> codes[stored[i]] * (double) scale[i / 256])
        .toArray();
  }

  /** A second moment of 0 beside a larger one would leave ε alone below the first moment. */
  @Test
  void smallGradientsBesideLargeOnesMoveLittle() {
    try (Device device = Device.cpu(1)) {
      device.call(
          () -> {
            try (NDManager manager = device.newManager()) {
              NDArray weights = manager.zeros(SHAPE);
              float[] gradient = new float[SIZE];
              Arrays.fill(gradient, 1e-4f);
              gradient[0] = 1;
              try (Optimizer optimizer = optimizer(device, weights)) {
                optimizer.step(new NDList(manager.create(gradient, SHAPE)), RATE);
                float[] before = weights.toFloatArray();
                optimizer.step(new NDList(manager.zeros(SHAPE)), RATE);
                float[] after = weights.toFloatArray();
                for (int i = 0; i < SIZE; i++) {
                  assertEquals(before[i], after[i], RATE);
                }
              }
            }
            return true;
          });
    }
  }

  @Test
  void aGradientThatIsNotFiniteChangesNothing() {
    try (Device device = Device.cpu(1)) {
      device.call(
          () -> {
            try (NDManager manager = device.newManager()) {
              NDArray weights = manager.ones(SHAPE);
              try (Optimizer optimizer = optimizer(device, weights)) {
                optimizer.step(new NDList(manager.ones(SHAPE).muli(-3)), RATE);
                float[] before = weights.toFloatArray();
                int[] first = Objects.requireNonNull(optimizer.kept(Kind.FIRST, 0)).toUint8Array();
                NDArray gradient = manager.ones(SHAPE).muli(Float.NaN);
                optimizer.step(new NDList(gradient), RATE);
                assertArrayEquals(before, weights.toFloatArray());
                assertArrayEquals(
                    first, Objects.requireNonNull(optimizer.kept(Kind.FIRST, 0)).toUint8Array());
                assertArrayEquals(new float[SIZE], gradient.toFloatArray());
                assertEquals(1, optimizer.steps());
                assertEquals(2 * SIZE + 2 * BLOCKS * Float.BYTES, optimizer.bytes());
              }
            }
            return true;
          });
    }
  }

  /** Embeddings, vectors and what has fewer than 4,096 numbers keep f32 moments. */
  @Test
  void largeMatricesHaveBytes() {
    DecoderSpec spec = SmallDecoder.decoder(100, 64, 63, 1, 4, 4, Set.of());
    for (DecoderSpec.Parameter parameter : DecoderParameters.of(spec)) {
      String name = parameter.name();
      boolean large = name.contains("self_attn") || name.equals("lm_head.weight");
      UpdateRule rule = UpdateRule.of(OptimizerName.ADAMW_8BIT, parameter);
      assertEquals(large ? UpdateRule.ADAMW_8BIT : UpdateRule.ADAMW, rule, name);
      long size = parameter.size();
      assertEquals(large ? 2 * size + 8 * size / 256 : 8 * size, rule.bytes(parameter));
    }
  }

  private static float[] floats(double[] numbers) {
    float[] floats = new float[numbers.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) numbers[i];
    }
    return floats;
  }

  private static Optimizer optimizer(Device device, NDArray weights) {
    NDList all = new NDList(weights);
    return new Optimizer(
        device,
        OptimizerName.ADAMW_8BIT,
        new TrainedParameters(List.of("w"), all, all),
        List.of(UpdateRule.ADAMW_8BIT),
        SETTINGS);
  }
}
