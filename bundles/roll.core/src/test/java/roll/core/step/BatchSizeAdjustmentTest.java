package roll.core.step;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.Batch;
import roll.runtime.config.algorithm.BatchAdjustment;

class BatchSizeAdjustmentTest {
  /**
   * The first four rows are those of {@code adjust_batch} of {@code
   * alibaba/ROLL@8eb27cc:roll/pipeline/agentic/agentic_pipeline.py#L676}, except for the copies,
   * which never count.
   */
  @ParameterizedTest
  @CsvSource({
    "COPY, 1030, 32, 1030, 26",
    "DELETE, 1030, 32, 1024, 0",
    "AUTO, 1030, 32, 1024, 0",
    "RANDOM_SAMPLE, 1030, 32, 32, 0",
    "AUTO, 40, 32, 32, 0",
    "AUTO, 60, 32, 32, 0",
    "AUTO, 20, 32, 20, 12",
    "DELETE, 20, 32, 20, 12",
    "RANDOM_SAMPLE, 20, 32, 20, 12",
    "COPY, 64, 32, 64, 0",
    "DELETE, 64, 32, 64, 0"
  })
  void saysHowManyStay(BatchAdjustment mode, int samples, int unit, int kept, int missing) {
    assertEquals(
        new BatchSizeAdjustment(kept, missing), BatchSizeAdjustment.of(samples, unit, mode));
  }

  private static Batch batch(int samples) {
    int[] cells = IntStream.rangeClosed(0, samples).toArray();
    return Batch.of(cells, IntStream.range(0, samples).toArray(), new int[samples]);
  }

  @Test
  void seedAndStepDecideWhoStays() {
    Map<String, Double> metrics = new HashMap<>();
    BatchSizeAdjustment half = new BatchSizeAdjustment(10, 0);
    int[] first = half.apply(batch(20), 1, 0, metrics).tokens();
    assertEquals(10.0, metrics.get("system/batch_remove_count"));
    assertEquals(0.0, metrics.get("system/batch_add_count"));
    assertArrayEquals(Arrays.stream(first).distinct().sorted().toArray(), first);
    assertArrayEquals(first, half.apply(batch(20), 1, 0, metrics).tokens());
    assertFalse(Arrays.equals(first, half.apply(batch(20), 1, 1, metrics).tokens()));
    assertFalse(Arrays.equals(first, half.apply(batch(20), 2, 0, metrics).tokens()));
  }

  @Test
  void whatFitsIsNotTouched() {
    Batch batch = batch(7);
    Map<String, Double> metrics = new HashMap<>();
    assertSame(
        batch, BatchSizeAdjustment.of(7, 4, BatchAdjustment.COPY).apply(batch, 1, 0, metrics));
    assertEquals(1.0, metrics.get("system/batch_add_count"));
    assertEquals(0.0, metrics.get("system/batch_remove_count"));
  }
}
