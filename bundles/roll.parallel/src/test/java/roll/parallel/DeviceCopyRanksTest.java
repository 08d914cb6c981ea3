package roll.parallel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.torch.Device;
import roll.torch.training.TrainState.Kind;

/** Ranks whose tensors are not found in the memory of the host train to the same bits. */
class DeviceCopyRanksTest {
  private static final DecoderSpec SPEC = ShardedFixtures.spec(2, EnumSet.of(Trait.TIED_HEAD));

  private static List<float[]> trained(ParallelLayout layout, Supplier<Device> devices) {
    List<float[]> numbers = new ArrayList<>();
    try (ShardedFixtures.Open open = new ShardedFixtures.Open(SPEC, layout, devices)) {
      open.step(0, ShardedFixtures::loss);
      open.step(1, ShardedFixtures::loss);
      for (Kind kind : EnumSet.range(Kind.WEIGHT, Kind.SECOND)) {
        numbers.addAll(open.numbers(kind));
      }
    }
    return numbers;
  }

  @Test
  void theSameBits() {
    ParallelLayout zero3 =
        new ParallelLayout(
            2, 1, 1, 3, false, ParallelLayout.Recompute.FULL, 40, true, Offload.NOTHING);
    for (ParallelLayout layout : List.of(zero3, ParallelLayout.model(1, 2, 2, true))) {
      List<float[]> expected = trained(layout, () -> Device.cpu(1));
      List<float[]> found = trained(layout, () -> Device.cpuByCopies(1, 64));
      for (int i = 0; i < expected.size(); i++) {
        assertArrayEquals(expected.get(i), found.get(i), 0);
      }
    }
  }
}
