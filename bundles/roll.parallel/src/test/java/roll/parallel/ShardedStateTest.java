package roll.parallel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionActivity;
import roll.api.memory.SessionMemory;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.decoder.DecoderParameters;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.shard.PipelineStage;
import roll.parallel.shard.Segment;
import roll.torch.training.TrainState.Kind;

/** Tests location, size and failure of state on ranks. */
@Timeout(120)
class ShardedStateTest {
  private static final DecoderSpec SPEC =
      ShardedFixtures.spec(4, EnumSet.of(Trait.TIED_HEAD, Trait.OUTPUT_BIAS));

  @AutoClose private static final RankDevices DEVICES = new RankDevices();

  private static final List<Kind> KINDS = List.of(Kind.WEIGHT, Kind.FIRST, Kind.SECOND);

  private static ParallelLayout zero(int data, int stage, boolean prefetch, Offload offload) {
    return new ParallelLayout(
        data, 1, 1, stage, false, ParallelLayout.Recompute.FULL, 40, prefetch, offload);
  }

  /**
   * Weights and moments go through the layout "4 ranks of stage 3" unharmed, and learn on alike.
   */
  @Test
  void everyLayoutContinuesWhatAnotherBegan() {
    Map<Kind, List<float[]>> begun = new EnumMap<>(Kind.class);
    List<float[]> expected;
    try (ShardedFixtures.Open four =
        new ShardedFixtures.Open(SPEC, zero(4, 3, true, Offload.NOTHING), DEVICES)) {
      four.step(0, ShardedFixtures::loss);
      for (Kind kind : KINDS) {
        begun.put(kind, four.numbers(kind));
      }
      four.step(1, ShardedFixtures::loss);
      expected = four.numbers(Kind.WEIGHT);
    }
    for (ParallelLayout layout :
        List.of(
            zero(1, 3, true, Offload.NOTHING),
            zero(2, 1, true, Offload.NOTHING),
            zero(8, 2, true, Offload.NOTHING),
            ParallelLayout.model(2, 2, 2, true),
            ParallelLayout.model(1, 1, 4, false))) {
      try (ShardedFixtures.Open other = new ShardedFixtures.Open(SPEC, layout, DEVICES)) {
        for (Kind kind : KINDS) {
          fill(other.state, kind, Objects.requireNonNull(begun.get(kind)));
        }
        other.state.resume(1);
        for (Kind kind : KINDS) {
          List<float[]> given = Objects.requireNonNull(begun.get(kind));
          List<float[]> found = other.numbers(kind);
          for (int i = 0; i < found.size(); i++) {
            assertArrayEquals(given.get(i), found.get(i), 0);
          }
        }
        other.step(1, ShardedFixtures::loss);
        for (var distance : ShardedFixtures.distances(SPEC, expected, other.numbers(Kind.WEIGHT))) {
          assertTrue(distance.relative() < 3e-5, layout + " " + distance);
        }
      }
    }
  }

  private static void fill(ShardedState state, Kind kind, List<float[]> numbers) {
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < numbers.size(); i++) {
        MemorySegment all = arena.allocateFrom(ValueLayout.JAVA_FLOAT, numbers.get(i));
        long half = all.byteSize() / 8 * 4;
        state.write(kind, i, half / 4, all.asSlice(half));
        state.write(kind, i, 0, all.asSlice(0, half));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void ranksHoldWhatTheorySays(int stage) {
    for (boolean prefetch : new boolean[] {true, false}) {
      ParallelLayout layout = zero(4, stage, prefetch, Offload.NOTHING);
      try (ShardedFixtures.Open open = new ShardedFixtures.Open(SPEC, layout, DEVICES)) {
        open.ranks.ranks().forEach(rank -> rank.held(0));
        open.step(0, ShardedFixtures::loss);
        SessionMemory theory =
            new MemoryEstimate(SPEC, layout, true, Dtype.FP32)
                .most(List.of(), SessionActivity.TRAIN, 40)
                .getFirst();
        for (Rank rank : open.ranks.ranks()) {
          SessionMemory held = rank.held(-1);
          for (MemoryKind kind : MemoryKind.values()) {
            if (kind != MemoryKind.ACTIVATIONS) {
              assertEquals(theory.bytes().get(kind), held.bytes().get(kind), kind.name());
            }
          }
        }
        // nothing that is only there while it works stays
        SessionMemory rest =
            new MemoryEstimate(SPEC, layout, true, Dtype.FP32)
                .most(List.of(), SessionActivity.REST, 40)
                .getFirst();
        assertEquals(rest, open.ranks.ranks().getFirst().held(-1));
      }
    }
  }

  /** 4 bytes each of weight, gradient and two moments over N, and two segments. */
  @Test
  void stageThreeHoldsItsShareAndTwoSegments() {
    DecoderSpec spec = ShardedFixtures.spec(12, Set.of(Trait.TIED_HEAD));
    ParallelLayout layout = zero(4, 3, true, Offload.NOTHING);
    long largest =
        new PipelineStage(spec, layout, 0)
            .segments().stream()
                .filter(segment -> !segment.resident())
                .mapToLong(Segment::size)
                .max()
                .orElseThrow();
    try (ShardedFixtures.Open open = new ShardedFixtures.Open(spec, layout, DEVICES)) {
      open.step(0, ShardedFixtures::loss);
      double formula = 16.0 * DecoderParameters.size(spec) / 4 + 2 * 4 * largest;
      SessionMemory held = open.ranks.ranks().getFirst().held(0);
      long activations = held.bytes().getOrDefault(MemoryKind.ACTIVATIONS, 0L);
      assertEquals(1, (held.resident() - activations) / formula, 0.1);
    }
  }

  @Test
  void whatIsOffloadedLiesInFilesAndLearnsTheSame(@TempDir Path folder) throws IOException {
    List<float[]> expected;
    try (ShardedFixtures.Open held =
        new ShardedFixtures.Open(SPEC, zero(2, 3, true, Offload.NOTHING), DEVICES)) {
      held.step(0, ShardedFixtures::loss);
      held.step(1, ShardedFixtures::loss);
      expected = held.numbers(Kind.WEIGHT);
    }
    ParallelLayout layout = zero(2, 3, true, new Offload(true, true, folder));
    try (ShardedFixtures.Open away = new ShardedFixtures.Open(SPEC, layout, DEVICES)) {
      away.step(0, ShardedFixtures::loss);
      away.step(1, ShardedFixtures::loss);
      List<float[]> found = away.numbers(Kind.WEIGHT);
      for (int i = 0; i < found.size(); i++) {
        assertArrayEquals(expected.get(i), found.get(i), 0);
      }
      SessionMemory theory =
          new MemoryEstimate(SPEC, layout, true, Dtype.FP32)
              .most(List.of(), SessionActivity.TRAIN, 40)
              .getFirst();
      SessionMemory peak = away.ranks.ranks().getFirst().held(-1);
      assertEquals(
          theory.bytes().get(MemoryKind.OFFLOADED), peak.bytes().get(MemoryKind.OFFLOADED));
      assertEquals(null, peak.bytes().get(MemoryKind.OPTIMIZER));
      long bytes = 0;
      try (var files = Files.list(folder)) {
        for (Path file : files.toList()) {
          bytes += Files.size(file);
        }
      }
      assertEquals(2 * theory.bytes().get(MemoryKind.OFFLOADED), bytes);
    }
    try (var files = Files.list(folder)) {
      assertEquals(0, files.count());
    }
  }

  /** A loss that fails at its third call; afterward a step is as if nothing had been. */
  @ParameterizedTest
  @ValueSource(strings = {"zero", "model"})
  void aRankThatFailsStopsAllAndLeavesThemUsable(String kind) {
    ParallelLayout layout =
        kind.equals("zero")
            ? zero(2, 3, true, Offload.NOTHING)
            : ParallelLayout.model(2, 2, 1, false);
    List<float[]> expected;
    try (ShardedFixtures.Open open = new ShardedFixtures.Open(SPEC, layout, DEVICES)) {
      open.step(0, ShardedFixtures::loss);
      expected = open.numbers(Kind.WEIGHT);
    }
    IllegalStateException broken = new IllegalStateException("broken");
    try (ShardedFixtures.Open open = new ShardedFixtures.Open(SPEC, layout, DEVICES)) {
      int[] calls = {0};
      assertSame(
          broken,
          assertThrows(
              IllegalStateException.class,
              () ->
                  open.step(
                      0,
                      (samples, columns) -> {
                        if (++calls[0] == 3) {
                          throw broken;
                        }
                        return ShardedFixtures.loss(samples, columns);
                      })));
      assertEquals(0, open.state.steps());
      open.step(0, ShardedFixtures::loss);
      List<float[]> found = open.numbers(Kind.WEIGHT);
      for (int i = 0; i < found.size(); i++) {
        assertArrayEquals(expected.get(i), found.get(i), 0);
      }
    }
  }

  /** A gradient that is not finite leaves everything as it was, on every rank. */
  @Test
  void infiniteGradientsChangeNothing() {
    try (ShardedFixtures.Open open =
        new ShardedFixtures.Open(SPEC, zero(2, 3, true, Offload.NOTHING), DEVICES)) {
      List<float[]> before = open.numbers(Kind.WEIGHT);
      double norm =
          open.step(
              0,
              (samples, columns) -> {
                double[][] by = ShardedFixtures.loss(samples, columns);
                by[0][by[0].length - 1] = Double.NaN;
                return by;
              });
      assertTrue(Double.isNaN(norm));
      List<float[]> after = open.numbers(Kind.WEIGHT);
      for (int i = 0; i < before.size(); i++) {
        assertArrayEquals(before.get(i), after.get(i), 0);
      }
    }
  }
}
