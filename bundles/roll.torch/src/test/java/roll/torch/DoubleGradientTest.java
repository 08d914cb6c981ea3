package roll.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Experts;
import roll.api.model.DecoderSpec.Trait;
import roll.decoder.DecoderParameters;
import roll.testkit.SmallDecoder;
import roll.testkit.WrittenFlash;
import roll.torch.model.Decoder;
import roll.torch.model.DeviceTexts;
import roll.torch.model.JoinedTensors;
import roll.torch.model.RotaryTable;

/**
 * The kernels of layers and head, of packed samples, compiled for f64, where finite differences
 * leave no room: their gradients are right to seven digits. The loss is linear in log-probs and
 * entropies.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DoubleGradientTest {
  private static final MicroBatch PACKED =
      MicroBatch.packed(SmallDecoder.batch(), new int[] {0, 1, 2}, 4);

  @AutoClose private final Device device = Device.cpu(1);

  /**
   * No trait, each alone, and all together; all with adapters everywhere, and here and there; with
   * experts, of which some have no token, likewise.
   */
  static Stream<DecoderSpec> models() {
    Set<Trait> all = EnumSet.complementOf(EnumSet.of(Trait.VALUE_HEAD));
    DecoderSpec full = model(all);
    DecoderSpec few = model(Set.of(Trait.QUERY_KEY_NORM)).of(new Experts(4, 2, true));
    DecoderSpec many = model(Set.of(Trait.TIED_HEAD)).of(new Experts(50, 3, false));
    Set<String> some = Set.of("model.layers.0.self_attn.v_proj", "model.layers.1.mlp.up_proj");
    Set<String> inside =
        Set.of("model.layers.0.self_attn.v_proj", "model.layers.1.mlp.experts.2.down_proj");
    return Stream.concat(
        Stream.concat(Stream.of(Set.<Trait>of()), all.stream().map(Set::of))
            .map(DoubleGradientTest::model),
        Stream.of(
            full,
            everywhere(full),
            full.with(new Adapter(3, 6, true, 0, some)),
            few,
            many,
            everywhere(few),
            few.with(new Adapter(3, 6, true, 0, inside))));
  }

  private static DecoderSpec everywhere(DecoderSpec spec) {
    return spec.with(new Adapter(3, 6, false, 0, Set.copyOf(DecoderParameters.projections(spec))));
  }

  private static DecoderSpec model(Set<Trait> traits) {
    return SmallDecoder.decoder(11, 16, 24, 2, 4, 2, traits);
  }

  @ParameterizedTest
  @MethodSource("models")
  void gradientsEqualFiniteDifferences(DecoderSpec spec) {
    assertGradients(spec, 1);
  }

  /** Tests gradients with a temperature. */
  @ParameterizedTest
  @ValueSource(doubles = {0.7, 1.6})
  void gradientsEqualFiniteDifferencesAtATemperature(double temperature) {
    assertGradients(model(Set.of()), temperature);
  }

  @ParameterizedTest
  @MethodSource("models")
  void gradientsOfSharedPrefixesEqualFiniteDifferences(DecoderSpec spec) {
    int[] samples = IntStream.range(0, SharedBatch.BATCH.samples()).toArray();
    assertGradients(spec, 1, SharedBatch.merged(samples, 4));
  }

  /** Log-probs and gradients of merged samples are those of the same samples one by one. */
  @ParameterizedTest
  @MethodSource("models")
  void sharedPrefixesChangeOnlyTheRounding(DecoderSpec spec) {
    int[] samples = IntStream.range(0, SharedBatch.BATCH.samples()).toArray();
    MicroBatch merged = SharedBatch.merged(samples, 1);
    MicroBatch packed = MicroBatch.packed(SharedBatch.BATCH, samples, 1);
    assertTrue(2 * merged.length() < packed.length());
    device.call(
        () -> {
          try (Kernels kernels = kernels(device, spec, 1, DeviceTexts.processor());
              Model a = new Model(device, spec, kernels, merged, false);
              Model b = new Model(device, spec, kernels, packed, false)) {
            assertSame(b, a);
          }
          return null;
        });
  }

  /**
   * The texts for cards, with their operators written out, compute what those for processors do: of
   * joined tensors, and of others without any operator.
   */
  @ParameterizedTest
  @MethodSource("models")
  void textsForCardsChangeOnlyTheRounding(DecoderSpec spec) {
    CardOperators all =
        new CardOperators(
            WrittenFlash.source(), WrittenFlash.wideProduct(), WrittenFlash.groupedProduct());
    CardOperators none = new CardOperators(null, null, null);
    int[] samples = IntStream.range(0, SharedBatch.BATCH.samples()).toArray();
    List<MicroBatch> layouts =
        List.of(
            MicroBatch.of(SharedBatch.BATCH, samples),
            MicroBatch.packed(SharedBatch.BATCH, samples, 4),
            SharedBatch.merged(samples, 4));
    device.call(
        () -> {
          try (Kernels written = kernels(device, spec, 1, DeviceTexts.card(spec, all, true));
              Kernels plain = kernels(device, spec, 1, DeviceTexts.card(spec, none, true));
              Kernels processor = kernels(device, spec, 1, DeviceTexts.processor())) {
            for (MicroBatch part : layouts) {
              try (Model a = new Model(device, spec, written, part, true);
                  Model b = new Model(device, spec, written, part, false);
                  Model c = new Model(device, spec, plain, part, false);
                  Model right = new Model(device, spec, processor, part, false)) {
                assertSame(right, a);
                assertSame(right, b);
                assertSame(right, c);
              }
            }
          }
          return null;
        });
  }

  private static void assertSame(Model right, Model tested) {
    assertEquals(right.loss(), tested.loss(), 1e-12);
    NDList expected = right.gradients();
    NDList found = tested.gradients();
    for (int p = 0; p < expected.size(); p++) {
      String name = DecoderParameters.of(right.spec).get(p).name();
      double[] gradient = expected.get(p).toDoubleArray();
      assertArrayEquals(gradient, found.get(p).toDoubleArray(), 1e-12, name);
    }
  }

  private void assertGradients(DecoderSpec spec, double temperature) {
    assertGradients(spec, temperature, PACKED);
  }

  private void assertGradients(DecoderSpec spec, double temperature, MicroBatch part) {
    device.call(
        () -> {
          try (Kernels kernels = kernels(device, spec, temperature, DeviceTexts.processor());
              Model model = new Model(device, spec, kernels, part, false)) {
            NDList gradients = model.gradients();
            for (int p = 0; p < gradients.size(); p++) {
              String name = DecoderParameters.of(spec).get(p).name();
              double[] gradient = gradients.get(p).toDoubleArray();
              FiniteDifferences.assertGradient(
                  name, gradient, model.weights.get(p), model::loss, 1e-7);
            }
          }
          return null;
        });
  }

  private static Kernels kernels(
      Device device, DecoderSpec spec, double temperature, DeviceTexts texts) {
    Map<String, Object> constants =
        new HashMap<>(Decoder.constants(spec, new Precision(Dtype.FP32, false, temperature)));
    constants.put("WIDE", 7);
    constants.put("COMPUTE", 7);
    constants.put("LOGITS", 7);
    constants.put("BLOCK_LOGITS", 2 * spec.vocabulary()); // several blocks a chunk
    constants.put("HEAD_ROWS", 5); // several chunks
    List<String> sources =
        new ArrayList<>(
            Decoder.sources(
                Kernels.source(Decoder.class, "product.py"), LinearBackends.libtorchOnly(), texts));
    sources.add(Decoder.backwardSource());
    return Kernels.compile(device, constants, sources);
  }

  /** Kernels with random weights in f64. Only on the compute thread. */
  private static final class Model implements AutoCloseable {
    private final NDManager manager;
    private final DecoderSpec spec;
    private final Kernels kernels;
    private final RotaryTable angles;
    private final NDList weights = new NDList();
    private final NDList layered;
    private final NDArray tokens;
    private final NDArray rows;
    private final NDArray targets;
    private final NDArray segments;
    private final NDArray none;
    private final NDArray byLogProb;
    private final NDArray byEntropy;

    /** With {@code joined} the layers have {@link JoinedTensors} too. */
    Model(Device device, DecoderSpec spec, Kernels kernels, MicroBatch part, boolean joined) {
      this.spec = spec;
      this.manager = device.newManager();
      this.kernels = kernels;
      this.angles = new RotaryTable(device, spec);
      for (DecoderSpec.Parameter parameter : DecoderParameters.of(spec)) {
        weights.add(FiniteDifferences.weight(manager, parameter));
      }
      this.layered = new NDList(weights);
      if (joined) {
        for (List<Integer> parts : JoinedTensors.of(spec)) {
          NDList separate = new NDList();
          parts.forEach(i -> separate.add(weights.get(i)));
          layered.add(NDArrays.concat(separate));
        }
      }
      int length = part.length();
      this.tokens = manager.create(part.tokens(), new Shape(part.tokens().length / length, length));
      this.rows = manager.create(part.rows());
      this.targets = manager.create(part.targets());
      this.segments = manager.create(part.segments(), new Shape(2, part.segments().length / 2));
      this.none = manager.create(new long[0]);
      this.byLogProb = manager.create(FiniteDifferences.normal("log-prob", part.rows().length));
      this.byEntropy = manager.create(FiniteDifferences.normal("entropy", part.rows().length));
    }

    /**
     * Computes the gradients of the loss for every parameter, with recomputation and chunks of 4
     * rows.
     */
    NDList gradients() {
      layered.forEach(weight -> weight.setRequiresGradient(true));
      NDList gradients = new NDList();
      weights.forEach(w -> gradients.add(manager.zeros(w.getShape(), DataType.FLOAT64)));
      NDArray again = manager.create(1);
      NDArray seed = manager.create(-1);
      Object[] angle = {angles.cos(), angles.sin()};
      NDList kept =
          kernels.record(
              manager,
              "forward_pieces",
              tokens,
              rows,
              segments,
              none,
              none,
              layered,
              angle[0],
              angle[1],
              again,
              manager.create(0),
              seed);
      NDList found =
          kernels.call(
              manager, "head_forward", kept.head(), head(weights), targets, 4, false, false);
      NDArray byRows =
          kernels
              .call(
                  manager,
                  "head_backward",
                  kept.head(),
                  head(weights),
                  new NDList(head(gradients)),
                  targets,
                  found.get(1),
                  byLogProb,
                  byEntropy,
                  new NDList(),
                  4)
              .singletonOrThrow();
      kernels.record(
          manager,
          "backward_pieces",
          byRows,
          tokens,
          rows,
          segments,
          none,
          kept,
          layered,
          angle[0],
          angle[1],
          again,
          manager.create(0),
          seed,
          gradients);
      layered.forEach(weight -> weight.setRequiresGradient(false));
      return gradients;
    }

    private NDArray head(NDList list) {
      return spec.has(Trait.TIED_HEAD) ? list.head() : list.getLast();
    }

    private double loss() {
      NDArray hidden =
          kernels
              .call(
                  manager,
                  "hidden",
                  tokens,
                  rows,
                  segments,
                  none,
                  none,
                  layered,
                  angles.cos(),
                  angles.sin())
              .singletonOrThrow();
      NDList found =
          kernels.call(manager, "head_forward", hidden, head(weights), targets, 100, false, false);
      return FiniteDifferences.dot(byLogProb.toDoubleArray(), found.get(0).toDoubleArray())
          + FiniteDifferences.dot(byEntropy.toDoubleArray(), found.get(1).toDoubleArray());
    }

    @Override
    public void close() {
      angles.close();
      manager.close();
    }
  }
}
