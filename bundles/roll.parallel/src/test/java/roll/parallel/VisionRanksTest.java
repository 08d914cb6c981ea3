package roll.parallel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.batching.Cutting;
import roll.decoder.DecoderParameters;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.testkit.SmallVisionDecoder;
import roll.torch.Device;
import roll.torch.training.TrainState.Kind;
import roll.torch.vision.VisionTower;

/**
 * Ranks of a model that sees learn what one device learns: in a step in which several of them see
 * something, one in which one sees alone, and one in which none does.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VisionRanksTest {
  private static final int STEPS = 3;

  @AutoClose private final Device device = Device.cpu(1);
  @AutoClose private final RankDevices devices = new RankDevices();

  private static ParallelLayout layout(int data, int zero, boolean frozen) {
    return layout(data, 1, 1, zero, frozen);
  }

  private static ParallelLayout layout(
      int data, int pipeline, int tensor, int zero, boolean frozen) {
    ParallelLayout layout =
        new ParallelLayout(
            data,
            pipeline,
            tensor,
            zero,
            tensor > 1 && data == 1,
            zero < 3 ? ParallelLayout.Recompute.NONE : ParallelLayout.Recompute.FULL,
            20,
            zero == 3,
            Offload.NOTHING);
    return frozen ? layout.withFrozen(List.of("visual")) : layout;
  }

  private static Set<Trait> traits(String name) {
    return switch (name) {
      case "tied" -> EnumSet.of(Trait.TIED_HEAD, Trait.QUERY_KEY_VALUE_BIAS);
      case "value" -> EnumSet.of(Trait.VALUE_HEAD);
      default -> Set.of();
    };
  }

  /** Micro-batches of one sample, so that some ranks have none where others see. */
  @ParameterizedTest
  @CsvSource({
    "1, 0, false, 1, plain",
    "1, 3, false, 2, tied",
    "2, 1, false, 2, plain",
    "2, 2, false, 1, tied",
    "2, 3, false, 1, plain",
    "2, 3, false, 2, tied",
    "2, 3, true, 1, tied",
    "2, 3, false, 2, value",
    "2, 2, true, 2, plain",
    "4, 3, false, 1, tied",
    "4, 3, true, 2, plain",
    "1, 0, false, 1, deep",
    "2, 3, false, 1, deep",
    "2, 2, true, 2, deep",
  })
  void equalsOneDevice(int data, int zero, boolean frozen, int samples, String traits) {
    check(layout(data, zero, frozen), frozen, samples, traits);
  }

  /** Sequence-parallel with one data-parallel rank. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 2, false, 1, plain",
    "2, 1, 2, false, 1, tied",
    "1, 1, 2, false, 2, deep",
    "2, 1, 2, false, 1, deep",
    "1, 2, 1, false, 1, tied",
    "1, 2, 2, false, 2, deep",
    "2, 2, 1, false, 1, deep",
    "1, 2, 2, true, 1, deep",
  })
  void cutModelsToo(
      int data, int pipeline, int tensor, boolean frozen, int samples, String traits) {
    check(layout(data, pipeline, tensor, 1, frozen), frozen, samples, traits);
  }

  private void check(ParallelLayout layout, boolean frozen, int samples, String traits) {
    DecoderSpec spec =
        SmallVisionDecoder.spec(
            traits(traits),
            traits.equals("deep") ? SmallVisionDecoder.DEEP_TOWER : SmallVisionDecoder.TOWER);
    List<String> fixed = frozen ? List.of("visual") : List.of();
    List<List<float[]>> alone = ShardedFixtures.alone(device, spec, fixed, STEPS);
    List<float[]> before = alone.getFirst();
    List<float[]> expected = alone.getLast();
    List<float[]> found;
    try (var open = new ShardedFixtures.Open(spec, layout, devices)) {
      for (int step = 0; step < STEPS; step++) {
        open.step(step, new Cutting.Samples(samples), ShardedFixtures::loss);
      }
      found = open.numbers(Kind.WEIGHT);
    }
    for (int i = VisionTower.first(spec); i < before.size(); i++) {
      String name = DecoderParameters.of(spec).get(i).name();
      assertEquals(frozen, Arrays.equals(before.get(i), found.get(i)), name);
    }
    int trained = frozen ? VisionTower.first(spec) : found.size();
    for (ShardedFixtures.Distance distance :
        ShardedFixtures.distances(spec, expected.subList(0, trained), found)) {
      // no bias of keys changes attention much: AdamW enlarges what is but rounding
      boolean keys = distance.name().matches(".*(k_proj|qkv).bias");
      double most = keys ? 1e-2 : distance.name().endsWith("bias") ? 1e-4 : 1e-5;
      assertTrue(distance.relative() < most, distance.toString());
    }
  }

  /** Numbers, moments among them, are gathered from processes as they are on threads. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void severalProcessesAreOne(boolean frozen) {
    DecoderSpec spec = SmallVisionDecoder.spec(EnumSet.of(Trait.TIED_HEAD));
    ParallelLayout layout = layout(3, 3, frozen);
    try (var several = new SeveralRanks(spec, layout, 3, new SeveralProcesses(), devices);
        var open = new ShardedFixtures.Open(spec, layout, devices)) {
      for (int step = 0; step < STEPS; step++) {
        assertEquals(
            open.step(step, ShardedFixtures::loss), several.step(step, ShardedFixtures::loss));
      }
      List<DecoderSpec.Parameter> trained = several.state.trained();
      assertEquals(frozen, trained.size() < DecoderParameters.of(spec).size());
      assertFalse(trained.isEmpty());
      for (Kind kind : EnumSet.range(Kind.WEIGHT, Kind.SECOND)) {
        List<float[]> expected = ShardedFixtures.numbers(spec, open.state, kind);
        List<float[]> found = ShardedFixtures.numbers(spec, several.state, kind);
        for (int i = 0; i < expected.size(); i++) {
          assertArrayEquals(expected.get(i), found.get(i), 0);
        }
      }
    }
  }
}
