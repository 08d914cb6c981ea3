package roll.ui.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A point each five seconds, an hour of them. */
class MemoryHistoryTest {
  private final AtomicLong now = new AtomicLong(1_000_000);
  private final MemoryHistory history = new MemoryHistory(now::get);

  @Test
  void whoLooksOftenAddsNoPoints() {
    history.record(1, Map.of());
    now.addAndGet(4_999);
    history.record(2, Map.of());
    now.addAndGet(1);
    history.record(3, Map.of());
    assertEquals(List.of(1.0, 3.0), history.view().resident());
    assertEquals(List.of(1_000_000L, 1_005_000L), history.view().time());
  }

  @Test
  void anHourIsKept() {
    for (int i = 0; i < 2_000; i++) {
      history.record(i, Map.of());
      now.addAndGet(5_000);
    }
    List<Long> times = history.view().time();
    assertTrue(times.size() <= 721, () -> times.size() + " points");
    assertTrue(times.size() >= 720, () -> times.size() + " points");
    assertEquals(1999.0, history.view().resident().getLast());
  }

  @Test
  void aDeviceThatComesLaterHasGaps() {
    history.record(1, Map.of());
    now.addAndGet(5_000);
    history.record(1, Map.of(ModelMemory.CPU, new ModelMemory(8.0, null, null)));
    assertEquals(Map.of("-1", Arrays.asList(null, 8.0)), history.view().devices());
  }
}
