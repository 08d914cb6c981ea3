package roll.parallel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.SessionActivity;
import roll.api.memory.SessionMemory;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Experts;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.testkit.SmallDecoder;

/** Tests the estimates for a run on many accelerators. */
@NullMarked
class ManyRanksTest {
  /** 48 layers with 128 experts each have 18,000 parameters, as Qwen3-30B-A3B. */
  private static final DecoderSpec EXPERTS =
      SmallDecoder.decoder(100, 16, 24, 48, 4, 2, Set.of()).of(new Experts(128, 8, true));

  /** Naming all parameters once for each rank would take minutes. */
  @Test
  @Timeout(60)
  void ranksOfAStageAreCountedOnce() {
    int ranks = 2048;
    ParallelLayout layout =
        new ParallelLayout(
            ranks, 1, 1, 3, false, ParallelLayout.Recompute.FULL, 40, true, Offload.NOTHING);
    List<SessionMemory> all =
        new MemoryEstimate(EXPERTS, layout, true, Dtype.FP32)
            .most(List.of(), SessionActivity.TRAIN, 40);
    assertEquals(ranks, all.size());
    assertEquals(1, all.stream().map(SessionMemory::bytes).collect(Collectors.toSet()).size());
  }
}
