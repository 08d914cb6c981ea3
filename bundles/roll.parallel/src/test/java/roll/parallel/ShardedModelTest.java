package roll.parallel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Experts;
import roll.api.model.DecoderSpec.Trait;
import roll.batching.Cutting;
import roll.decoder.DecoderParameters;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.torch.Device;
import roll.torch.training.TrainState.Kind;

/** However a model is spread, it learns what it learns on one device. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShardedModelTest {
  private static final int STEPS = 3;

  private final Device device = Device.cpu(1);
  private final RankDevices devices = new RankDevices();
  private final Map<DecoderSpec, List<float[]>> alone = new HashMap<>();

  @AfterAll
  void close() {
    devices.close();
    device.close();
  }

  static Set<Trait> traits(String name) {
    return switch (name) {
      case "tied" -> EnumSet.of(Trait.TIED_HEAD, Trait.QUERY_KEY_NORM);
      case "value" -> EnumSet.of(Trait.VALUE_HEAD, Trait.QUERY_KEY_VALUE_BIAS);
      case "biases" ->
          EnumSet.of(Trait.QUERY_KEY_VALUE_BIAS, Trait.OUTPUT_BIAS, Trait.FEED_FORWARD_BIAS);
      case "gemma" ->
          EnumSet.of(Trait.GELU, Trait.NORM_OFFSET, Trait.SCALED_EMBEDDING, Trait.TIED_HEAD);
      case "experts" -> EnumSet.of(Trait.QUERY_KEY_NORM);
      default -> Set.of();
    };
  }

  /** Two of six experts compute each token. */
  private static DecoderSpec spec(String name) {
    DecoderSpec spec = ShardedFixtures.spec(4, traits(name));
    return name.equals("experts") ? spec.of(new Experts(6, 2, true)) : spec;
  }

  /** Persistence 40: norms are resident at stage 3, biases of 64 and matrices are not. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1, 0, false, FULL, plain",
    "1, 1, 1, 3, false, FULL, tied",
    "2, 1, 1, 0, false, FULL, plain",
    "2, 1, 1, 1, false, NONE, biases",
    "2, 1, 1, 2, false, SELECTIVE, tied",
    "2, 1, 1, 3, false, FULL, plain",
    "2, 1, 1, 3, false, FULL, tied",
    "2, 1, 1, 3, false, FULL, biases",
    "2, 1, 1, 3, false, FULL, value",
    "4, 1, 1, 1, false, FULL, value",
    "4, 1, 1, 3, false, FULL, tied",
    "8, 1, 1, 3, false, FULL, plain",
    "1, 1, 2, 0, false, FULL, plain",
    "1, 1, 2, 1, true, NONE, tied",
    "1, 1, 4, 1, false, SELECTIVE, biases",
    "1, 1, 4, 1, true, FULL, biases",
    "1, 1, 2, 1, true, FULL, value",
    "1, 2, 1, 1, false, FULL, plain",
    "1, 2, 1, 0, false, NONE, tied",
    "1, 4, 1, 1, false, FULL, value",
    "2, 2, 1, 1, false, FULL, tied",
    "2, 1, 2, 1, true, FULL, tied",
    "1, 2, 2, 1, true, SELECTIVE, tied",
    "2, 2, 2, 1, true, FULL, tied",
    "2, 1, 2, 3, false, FULL, tied",
    "2, 1, 1, 3, false, FULL, gemma",
    "2, 2, 2, 1, true, FULL, gemma",
    "2, 1, 1, 1, false, FULL, experts",
    "2, 1, 1, 3, false, FULL, experts",
    "4, 1, 1, 3, false, FULL, experts",
    "1, 1, 2, 0, false, FULL, experts",
    "1, 1, 4, 1, true, SELECTIVE, experts",
    "1, 2, 1, 1, false, NONE, experts",
    "2, 2, 2, 1, true, FULL, experts",
    "2, 1, 2, 3, false, FULL, experts",
  })
  void equalsOneDevice(
      int data,
      int pipeline,
      int tensor,
      int zero,
      boolean sequence,
      ParallelLayout.Recompute recompute,
      String traits) {
    ParallelLayout layout =
        new ParallelLayout(
            data, pipeline, tensor, zero, sequence, recompute, 40, zero == 3, Offload.NOTHING);
    assertEqualsOneDevice(spec(traits), layout, new Cutting.Samples(2));
  }

  /** Rows of up to 30 tokens against the padded samples of one device. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1, 3, false, false, plain",
    "2, 1, 1, 3, false, true, tied",
    "2, 1, 1, 1, false, true, value",
    "1, 1, 2, 1, true, false, tied",
    "2, 2, 2, 1, true, true, biases",
    "2, 1, 1, 3, false, true, experts",
  })
  void packedEqualsOneDevice(
      int data,
      int pipeline,
      int tensor,
      int zero,
      boolean sequence,
      boolean balanced,
      String traits) {
    ParallelLayout layout =
        new ParallelLayout(
            data,
            pipeline,
            tensor,
            zero,
            sequence,
            ParallelLayout.Recompute.SELECTIVE,
            40,
            false,
            Offload.NOTHING);
    Cutting packed = new Cutting.Packed(30, 2, balanced);
    assertEqualsOneDevice(spec(traits), layout, packed);
  }

  private void assertEqualsOneDevice(DecoderSpec spec, ParallelLayout layout, Cutting cutting) {
    List<float[]> expected =
        alone.computeIfAbsent(
            spec, s -> ShardedFixtures.alone(device, s, List.of(), STEPS).getLast());
    List<float[]> once = trained(spec, layout, cutting);
    for (ShardedFixtures.Distance distance : ShardedFixtures.distances(spec, expected, once)) {
      // biases, and norms that begin at 0, are as small as the steps they were made in; and the
      // slow rotations hardly tell a bias of keys from none: AdamW enlarges what is but rounding.
      // Where a gradient is next to none even of weights, on a processor with vectors of 256 bits
      // to 1.24e-5 in the first step
      boolean keys = distance.name().endsWith("k_proj.bias");
      boolean offset = spec.has(Trait.NORM_OFFSET) && distance.name().contains("norm");
      double most = keys ? 1e-2 : offset || distance.name().endsWith("bias") ? 3e-5 : 2e-5;
      assertTrue(distance.relative() < most, distance.toString());
    }
    List<float[]> again = trained(spec, layout, cutting);
    for (int i = 0; i < once.size(); i++) {
      assertArrayEquals(once.get(i), again.get(i), 0, DecoderParameters.of(spec).get(i).name());
    }
  }

  private List<float[]> trained(DecoderSpec spec, ParallelLayout layout, Cutting cutting) {
    try (ShardedFixtures.Open open = new ShardedFixtures.Open(spec, layout, devices)) {
      for (int step = 0; step < STEPS; step++) {
        open.step(step, cutting, ShardedFixtures::loss);
      }
      return open.numbers(Kind.WEIGHT);
    }
  }
}
