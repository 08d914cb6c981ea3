package roll.torch.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.config.OptimizerName;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Experts;
import roll.api.model.VisionSpec;
import roll.decoder.DecoderParameters;
import roll.testkit.SmallDecoder;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.model.TrainedParameters;
import roll.torch.training.TrainState.Kind;

/** Matrices of layers are moved by nearly orthogonal updates, the rest by AdamW. */
class MuonTest {
  private static final double RATE = 0.1;
  private static final double DECAY = 0.1;
  private static final AdamW.Settings SETTINGS = new AdamW.Settings(0.9, 0.99, 1e-8, DECAY, 1e9);

  private static final float[][] GRADIENTS = {
    {.5f, -1.25f, 2, .75f, -1, .25f},
    {-.375f, 1.5f, .25f, -.625f, .875f, -.5f},
    {1, .5f, -.75f, .125f, .375f, -1.5f}
  };
  private static final float[] WEIGHTS = {1, -.5f, .25f, 2, -1.5f, .75f};

  /** Steps of a matrix by Muon; returns it with its momentum. */
  private static List<float[]> steps(
      Shape shape, boolean bf16, AdamW.Settings settings, float[] weights, float[]... steps) {
    try (Device device = Device.cpu(1)) {
      return device.call(
          () -> {
            try (NDManager manager = device.newManager()) {
              NDList masters = new NDList(manager.create(weights, shape));
              NDList tensors = bf16 ? narrow(device, manager, masters) : masters;
              var trained = new TrainedParameters(List.of("w"), tensors, masters);
              List<UpdateRule> rules = List.of(UpdateRule.MUON);
              try (Optimizer muon =
                  new Optimizer(device, OptimizerName.MUON, trained, rules, settings)) {
                for (float[] step : steps) {
                  NDArray gradient = manager.create(step, shape);
                  muon.step(new NDList(gradient), RATE);
                  assertArrayEquals(new float[step.length], gradient.toFloatArray());
                }
                assertNull(muon.kept(Kind.SECOND, 0));
                assertEquals((long) Float.BYTES * weights.length, muon.bytes());
                return List.of(
                    masters.head().toFloatArray(),
                    Objects.requireNonNull(muon.kept(Kind.FIRST, 0)).toFloatArray());
              }
            }
          });
    }
  }

  private static NDList narrow(Device device, NDManager manager, NDList wide) {
    String source = "def narrow(self, x: List[Tensor]) -> Tensor:\n  return x[0].to(15)\n";
    try (Kernels kernels = Kernels.compile(device, Map.of(), List.of(source))) {
      return kernels.call(manager, "narrow", wide);
    }
  }

  /** The polynomial of the iterations, for a singular value. */
  private static double moved(double value) {
    double x = value;
    for (int i = 0; i < 5; i++) {
      x = 3.4445 * x - 4.7750 * Math.pow(x, 3) + 2.0315 * Math.pow(x, 5);
    }
    return x;
  }

  /** 3 and 4 are singular values of both matrices, 0.6 and 0.8 of the matrices of norm 1. */
  @Test
  void theFirstStepMovesSingularValuesByThePolynomial() {
    double[][] left = {{2 / 3.0, 2 / 3.0}, {-1 / 3.0, 2 / 3.0}, {2 / 3.0, -1 / 3.0}};
    double[][] right = {{0.6, 0.8}, {-0.8, 0.6}};
    check(left, right);
    check(right, left);
    check(right, new double[][] {{1, 0}, {0, 1}});
  }

  private static void check(double[][] left, double[][] right) {
    float[] weights = new float[left.length * right.length];
    float[] gradient = product(left, 3, 4, right);
    float[] update = product(left, moved(0.6), moved(0.8), right);
    double scale = 0.2 * Math.sqrt(Math.max(left.length, right.length));
    float[] expected = new float[weights.length];
    float[] momentum = new float[weights.length];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = i - 2;
      expected[i] = (float) (weights[i] * (1 - RATE * DECAY) - RATE * scale * update[i]);
      momentum[i] = 0.05f * gradient[i];
    }
    List<float[]> found =
        steps(new Shape(left.length, right.length), false, SETTINGS, weights, gradient);
    assertArrayEquals(expected, found.getFirst(), 2e-6f);
    assertArrayEquals(momentum, found.getLast(), 1e-6f);
  }

  /**
   * The product of {@code left}, the diagonal matrix of two values, and {@code right} transposed.
   */
  private static float[] product(double[][] left, double first, double second, double[][] right) {
    float[] product = new float[left.length * right.length];
    for (int i = 0; i < left.length; i++) {
      for (int j = 0; j < right.length; j++) {
        product[i * right.length + j] =
            (float) (left[i][0] * first * right[j][0] + left[i][1] * second * right[j][1]);
      }
    }
    return product;
  }

  /**
   * Three steps of {@code torch.optim.Muon(lr=0.1, weight_decay=0.1,
   * adjust_lr_fn="match_rms_adamw")} of {@code pytorch/pytorch@v2.13.0:torch/optim/_muon.py}, in
   * f64 instead of bf16.
   */
  @Test
  void threeStepsAreThoseOfTorch() {
    float[] tall = steps(new Shape(3, 2), false, SETTINGS, WEIGHTS, GRADIENTS).getFirst();
    assertArrayEquals(
        new float[] {0.93905f, -0.5045418f, 0.1793989f, 1.9272591f, -1.4556625f, 0.766843f},
        tall,
        2e-6f);
    float[][] square = new float[3][];
    for (int i = 0; i < 3; i++) {
      square[i] = Arrays.copyOf(GRADIENTS[i], 4);
    }
    assertArrayEquals(
        new float[] {0.9471846f, -0.4953161f, 0.1945604f, 1.9175586f},
        steps(new Shape(2, 2), false, SETTINGS, new float[] {1, -.5f, .25f, 2}, square).getFirst(),
        2e-6f);
  }

  /** The same steps of torch in bf16, which differ from those in f64 by up to 0.001. */
  @Test
  void bf16MatricesAreIteratedInBf16() {
    float[] narrow = steps(new Shape(3, 2), true, SETTINGS, WEIGHTS, GRADIENTS).getFirst();
    assertArrayEquals(
        new float[] {0.9394429f, -0.5037872f, 0.1784263f, 1.9272745f, -1.4561778f, 0.7666273f},
        narrow,
        2e-4f);
  }

  @Test
  void aLongGradientIsClippedLikeAnyOther() {
    AdamW.Settings clipping = new AdamW.Settings(0.9, 0.99, 1e-8, DECAY, 0.5);
    Shape shape = new Shape(2, 2);
    float[] first = {.3f, 0, 0, .4f};
    float[] second = {0, .3f, .3f, 0};
    float[] longer = {0, 3e5f, 3e5f, 0};
    float[] clipped = {0, .35355338f, .35355338f, 0};
    float[] weights = {1, 1, 1, 1};
    List<float[]> expected = steps(shape, false, SETTINGS, weights, first, clipped);
    List<float[]> found = steps(shape, false, clipping, weights, first, longer);
    assertArrayEquals(expected.getFirst(), found.getFirst(), 1e-6f);
    assertArrayEquals(expected.getLast(), found.getLast(), 1e-6f);
    assertArrayEquals(
        found.getFirst(),
        steps(shape, false, clipping, weights, first, longer, new float[] {1, Float.NaN, 1, 1})
            .getFirst(),
        "a gradient that is not finite changes nothing");
    assertEquals(0.3f * 0.05f, steps(shape, false, SETTINGS, weights, second).get(1)[1]);
  }

  @Test
  void embeddingsHeadsNormsBiasesRoutersAdaptersAndTowersAreLeftToAdamW() {
    DecoderSpec spec =
        SmallDecoder.SPEC
            .with(new Adapter(2, 4, false, 0, Set.of("model.layers.0.self_attn.q_proj")))
            .of(new Experts(3, 1, true))
            .seeing(new VisionSpec(9, 8, 2, 8, 1, 10, 3, 2, 2, 2, 8, Set.of(1)));
    for (DecoderSpec.Parameter parameter : DecoderParameters.of(spec)) {
      boolean matrix = parameter.name().matches("model[.]layers[.].*_proj[.]weight");
      assertEquals(
          matrix ? UpdateRule.MUON : UpdateRule.ADAMW,
          UpdateRule.of(OptimizerName.MUON, parameter),
          parameter.name());
      assertEquals(
          (matrix ? 4 : 8) * parameter.size(),
          UpdateRule.of(OptimizerName.MUON, parameter).bytes(parameter));
      assertEquals(UpdateRule.ADAMW, UpdateRule.of(OptimizerName.ADAMW, parameter));
    }
  }
}
