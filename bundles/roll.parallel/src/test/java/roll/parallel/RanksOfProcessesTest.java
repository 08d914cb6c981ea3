package roll.parallel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.RandomStreams;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.rank.RanksLostException;
import roll.decoder.DecoderParameters;
import roll.parallel.collective.RankFailure;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.shard.ShardMap;
import roll.torch.training.HeadOutputLoss;
import roll.torch.training.TrainState.Kind;

/** A model whose ranks are in several processes learns what it learns in one, bit for bit. */
@Timeout(120)
class RanksOfProcessesTest {
  private static final DecoderSpec SPEC = ShardedFixtures.spec(4, EnumSet.of(Trait.TIED_HEAD));

  @AutoClose private static final RankDevices DEVICES = new RankDevices();

  /** A loss that sums its inputs in the order of the calls. */
  private static final class Adding implements HeadOutputLoss {
    float sum;

    @Override
    public double[][] evaluate(int[] samples, double[][] columns) {
      for (double[] column : columns) {
        for (double number : column) {
          sum = sum * 0.99f + (float) number;
        }
      }
      return ShardedFixtures.loss(samples, columns);
    }
  }

  private static ParallelLayout layout(int data, int pipeline) {
    return new ParallelLayout(
        data,
        pipeline,
        1,
        pipeline > 1 ? 1 : 3,
        false,
        ParallelLayout.Recompute.FULL,
        40,
        true,
        Offload.NOTHING);
  }

  @ParameterizedTest
  @CsvSource({"2, 1, 2", "4, 1, 2", "3, 1, 3", "2, 2, 2"})
  void equalsOneProcess(int data, int pipeline, int processes) {
    ParallelLayout layout = layout(data, pipeline);
    Adding expectedLoss = new Adding();
    Map<Kind, List<float[]>> expected = new EnumMap<>(Kind.class);
    try (ShardedFixtures.Open alone = new ShardedFixtures.Open(SPEC, layout, DEVICES)) {
      assertTrue(alone.step(0, expectedLoss) > 0);
      assertTrue(alone.step(1, expectedLoss) > 0);
      for (Kind kind : EnumSet.range(Kind.WEIGHT, Kind.SECOND)) {
        expected.put(kind, alone.numbers(kind));
      }
    }
    Adding loss = new Adding();
    try (SeveralRanks several =
        new SeveralRanks(SPEC, layout, processes, new SeveralProcesses(), DEVICES)) {
      assertTrue(several.step(0, loss) > 0);
      assertTrue(several.step(1, loss) > 0);
      for (Kind kind : EnumSet.range(Kind.WEIGHT, Kind.SECOND)) {
        List<float[]> whole = Objects.requireNonNull(expected.get(kind));
        List<float[]> found = ShardedFixtures.numbers(SPEC, several.state, kind);
        for (int i = 0; i < whole.size(); i++) {
          assertArrayEquals(
              whole.get(i), found.get(i), 0, DecoderParameters.of(SPEC).get(i).name());
        }
      }
    }
    assertEquals(expectedLoss.sum, loss.sum, 0);
  }

  /** Wherever it begins and ends, and however often: also after the numbers have changed. */
  @Test
  void anyNumbersAreGathered() {
    long[] starts = ShardMap.starts(SPEC);
    int numbers = Math.toIntExact(starts[starts.length - 1]);
    RandomGenerator random = RandomStreams.of(1, "reads");
    try (SeveralRanks several =
            new SeveralRanks(SPEC, layout(3, 1), 3, new SeveralProcesses(), DEVICES);
        GatheredBlocks blocks = new GatheredBlocks(several.processes(), any -> numbers, 1000);
        Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(ValueLayout.JAVA_FLOAT, numbers);
      for (int step = 0; step < 2; step++) {
        assertTrue(several.step(step, ShardedFixtures::loss) > 0);
        float[] whole = new float[numbers];
        for (Kind kind : EnumSet.range(Kind.WEIGHT, Kind.SECOND)) {
          List<float[]> parameters = ShardedFixtures.numbers(SPEC, several.state, kind);
          for (int p = 0; p < parameters.size(); p++) {
            System.arraycopy(
                parameters.get(p), 0, whole, (int) starts[p], parameters.get(p).length);
          }
          for (int read = 0; read < 20; read++) {
            int first = random.nextInt(numbers);
            int count = 1 + random.nextInt(Math.min(numbers - first, 5000));
            MemorySegment part = target.asSlice(0, (long) count * Float.BYTES);
            blocks.read(kind, first, part);
            assertArrayEquals(
                Arrays.copyOfRange(whole, first, first + count),
                part.toArray(ValueLayout.JAVA_FLOAT));
          }
        }
      }
    }
  }

  /** All processes end, whoever decides hears what the loss failed of, and then it is over. */
  @Test
  void aLossThatFailsReleasesAllProcesses() {
    IllegalStateException broken = new IllegalStateException("broken");
    try (SeveralRanks several =
        new SeveralRanks(SPEC, layout(2, 1), 2, new SeveralProcesses(), DEVICES)) {
      int[] calls = {0};
      HeadOutputLoss fails =
          (samples, columns) -> {
            if (++calls[0] == 3) {
              throw broken;
            }
            return ShardedFixtures.loss(samples, columns);
          };
      assertSame(broken, assertThrows(IllegalStateException.class, () -> several.step(0, fails)));
      RanksLostException over =
          assertThrows(RanksLostException.class, () -> several.step(0, ShardedFixtures::loss));
      assertEquals(
          "the ranks have failed before: broken", Objects.requireNonNull(over.getMessage()));
    }
  }

  /** A process ends its work when others have failed. */
  @Test
  void aProcessCanBeReleasedFromOutside() {
    try (SeveralRanks several =
        new SeveralRanks(SPEC, layout(2, 1), 2, new SeveralProcesses(), DEVICES)) {
      RankFailure lost = new RankFailure("node b is lost");
      HeadOutputLoss waits =
          (samples, columns) -> {
            several.processes().each().forEach(process -> process.abort(lost));
            return ShardedFixtures.loss(samples, columns);
          };
      RanksLostException failure =
          assertThrows(RanksLostException.class, () -> several.step(0, waits));
      assertEquals("node b is lost", Objects.requireNonNull(failure.getMessage()));
    }
  }
}
