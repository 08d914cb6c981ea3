package roll.shell.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.RunEstimates;
import roll.runtime.pipeline.RunEstimates.Measured;
import roll.testkit.ExampleRunConfigs;

/** The estimates in {@code check} and {@code plan}. */
class EstimateRowsTest {
  private static final Path HERE = Path.of("here");

  /** A run of three steps. */
  private static String rows(RunEstimates estimates) {
    LoadedConfig config =
        new LoadedConfig(HERE, ExampleRunConfigs.small(HERE, 1), "", List.of(), Set.of(), Map.of());
    return EstimateRows.of(config, estimates).stream()
        .map(row -> row.getKey() + ": " + row.getValue())
        .collect(Collectors.joining("\n"));
  }

  private static RunEstimates of(long kept, long models, @Nullable Measured measured) {
    return new RunEstimates(3L << 20, kept, models, 1 << 20, 1 << 10, 4L << 30, measured);
  }

  @Test
  void everythingThatIsKnown() {
    assertEquals(
        """
        checkpoint_size: 3.00 MiB
        checkpoints_on_disk: at most 7, 21.00 MiB
        host_memory: 2.00 GiB of 4.00 GiB (models 2.00 GiB, trajectories per step 1.00 KiB, \
        checkpoint being saved 1.00 MiB)
        time: about 7 min 30 s: 3 steps of 2 min 30 s (measured on the last 50 in here/metrics.jsonl)\
        """,
        rows(of(7, 2L << 30, new Measured(50, 150, HERE.resolve("metrics.jsonl")))));
  }

  @Test
  void whatIsNotKnownIsNotSaid() {
    assertEquals(
        """
        checkpoint_size: 3.00 MiB
        host_memory: 1.00 MiB of 4.00 GiB (trajectories per step 1.00 KiB, checkpoint being \
        saved 1.00 MiB)\
        """,
        rows(of(0, 0, null)));
  }

  @Test
  void durationsAsPeopleSayThem() {
    assertEquals("0.25 s", EstimateRows.duration(0.25));
    assertEquals("59.90 s", EstimateRows.duration(59.9));
    assertEquals("1 min 00 s", EstimateRows.duration(60));
    assertEquals("170 h 40 min", EstimateRows.duration(1024 * 600.0));
    assertEquals("1,707 h 00 min", EstimateRows.duration(6_145_200));
  }
}
