package roll.parallel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Experts;
import roll.api.model.DecoderSpec.Trait;
import roll.batching.Cutting;
import roll.decoder.DecoderParameters;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.torch.Device;
import roll.torch.training.TrainState.Kind;

/** Ranks train adapters, or leave out what is frozen, as one device does. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdapterRanksTest {
  private static final int STEPS = 3;

  private final Device device = Device.cpu(1);
  private final RankDevices devices = new RankDevices();
  private final Map<Trainee, List<List<float[]>>> alone = new HashMap<>();

  /** Trains on one device. */
  private record Trainee(DecoderSpec spec, List<String> frozen) {}

  @AfterAll
  void close() {
    devices.close();
    device.close();
  }

  private static ParallelLayout layout(
      int data, int pipeline, int tensor, int zero, boolean sequence) {
    return new ParallelLayout(
        data,
        pipeline,
        tensor,
        zero,
        sequence,
        switch (zero) {
          case 3 -> ParallelLayout.Recompute.FULL;
          case 2 -> ParallelLayout.Recompute.NONE;
          default -> ParallelLayout.Recompute.SELECTIVE;
        },
        40,
        zero == 3,
        Offload.NOTHING);
  }

  /** Adapters of rank 4: of all projections, or of some, of which one layer lacks one. */
  private static DecoderSpec adapted(boolean all) {
    DecoderSpec spec =
        ShardedFixtures.spec(
            4, EnumSet.of(all ? Trait.TIED_HEAD : Trait.FEED_FORWARD_BIAS, Trait.OUTPUT_BIAS));
    Set<String> modules =
        DecoderParameters.projections(spec).stream()
            .filter(name -> all || name.matches(".*(q|o|down)_proj"))
            .filter(name -> all || !name.equals("model.layers.1.mlp.down_proj"))
            .collect(Collectors.toSet());
    return spec.with(new Adapter(4, 8, false, 0, modules));
  }

  /** Adapters of all projections, those of four experts among them, or of attention alone. */
  @ParameterizedTest
  @CsvSource({
    "2, 1, 1, 1, true",
    "2, 1, 1, 3, true",
    "1, 1, 2, 1, true",
    "2, 2, 2, 1, true",
    "2, 1, 1, 3, false",
    "1, 1, 2, 1, false",
  })
  void adaptersBesideExpertsEqualOneDevice(
      int data, int pipeline, int tensor, int zero, boolean all) {
    DecoderSpec spec =
        ShardedFixtures.spec(4, EnumSet.of(Trait.QUERY_KEY_NORM)).of(new Experts(4, 2, true));
    Set<String> modules =
        DecoderParameters.projections(spec).stream()
            .filter(name -> all || name.matches(".*(q|v)_proj"))
            .collect(Collectors.toSet());
    assertSame(
        spec.with(new Adapter(4, 8, false, 0, modules)),
        layout(data, pipeline, tensor, zero, false),
        List.of());
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1, 0, false, true",
    "2, 1, 1, 1, false, false",
    "2, 1, 1, 2, false, true",
    "2, 1, 1, 3, false, true",
    "4, 1, 1, 3, false, false",
    "1, 1, 2, 1, false, true",
    "1, 1, 2, 1, true, false",
    "1, 1, 4, 1, true, true",
    "1, 2, 1, 0, false, false",
    "2, 2, 2, 1, true, true",
    "2, 1, 2, 3, false, true",
  })
  void adaptersEqualOneDevice(
      int data, int pipeline, int tensor, int zero, boolean sequence, boolean all) {
    DecoderSpec spec = adapted(all);
    assertSame(spec, layout(data, pipeline, tensor, zero, sequence), List.of());
  }

  /** A whole end of the model, modules of layers, and all but the last ones. */
  @ParameterizedTest
  @CsvSource({
    "2, 1, 1, 3, model.embed_tokens",
    "2, 1, 1, 1, model.layers.1.",
    "2, 1, 1, 2, model.layers.1.self_attn",
    "2, 1, 1, 3, model.layers.1.self_attn",
    "2, 2, 1, 1, model.embed_tokens model.layers.0. model.layers.1. model.layers.2.",
    "1, 2, 2, 1, model.embed_tokens model.layers",
    "1, 1, 2, 1, lm_head model.norm",
    "4, 1, 1, 3, lm_head model.embed_tokens model.layers.0. model.layers.2.mlp.up_proj",
  })
  void frozenModulesStay(int data, int pipeline, int tensor, int zero, String frozen) {
    DecoderSpec spec = ShardedFixtures.spec(4, Set.of());
    assertSame(
        spec, layout(data, pipeline, tensor, zero, false), Arrays.asList(frozen.split(" ", -1)));
  }

  private void assertSame(DecoderSpec spec, ParallelLayout base, List<String> frozen) {
    ParallelLayout layout = base.withFrozen(frozen);
    List<List<float[]>> expected =
        alone.computeIfAbsent(
            new Trainee(spec, frozen), _ -> ShardedFixtures.alone(device, spec, frozen, STEPS));
    List<float[]> before = expected.getFirst();
    List<Integer> trained = layout.trained(spec);
    assertFalse(trained.isEmpty());
    try (var open = new ShardedFixtures.Open(spec, layout, devices)) {
      for (int step = 0; step < STEPS; step++) {
        open.step(step, new Cutting.Samples(2), ShardedFixtures::loss);
        if (step == 0) {
          assertClose(spec, trained, expected.get(1), open.numbers(Kind.WEIGHT));
        }
      }
      List<float[]> found = open.numbers(Kind.WEIGHT);
      assertClose(spec, trained, expected.getLast(), found);
      for (int i = 0; i < found.size(); i++) {
        String name = DecoderParameters.of(spec).get(i).name();
        boolean same = Arrays.equals(before.get(i), found.get(i));
        assertEquals(!trained.contains(i) || found.get(i).length == 0, same, name);
      }
      List<float[]> moments = open.numbers(Kind.SECOND);
      assertEquals(trained.size(), moments.size());
      for (float[] moment : moments) {
        double sum = 0;
        for (float number : moment) {
          sum += number;
        }
        assertTrue(sum > 0, "a moment that is zero");
      }
    }
  }

  private static void assertClose(
      DecoderSpec spec, List<Integer> trained, List<float[]> expected, List<float[]> found) {
    List<String> far = new ArrayList<>();
    List<ShardedFixtures.Distance> distances = ShardedFixtures.distances(spec, expected, found);
    for (int i = 0; i < distances.size(); i++) {
      ShardedFixtures.Distance distance = distances.get(i);
      // an expert of few tokens has gradients that are hardly any: AdamW enlarges what is rounding
      double most = distance.name().contains(".experts.") ? 1e-4 : 1e-5;
      if (!trained.contains(i)) {
        assertArrayEquals(expected.get(i), found.get(i), 0, distance.name());
      } else if (!(distance.relative() < most)) {
        far.add(distance.toString());
      }
    }
    assertEquals(List.of(), far);
  }
}
