package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.strategy.StateKind;

class PeaksTest {
  @Test
  void theMostSinceItWasAsked() {
    Peaks peaks = new Peaks();
    assertEquals(Map.of(), peaks.take());
    peaks.set(StateKind.PARAMETERS, 5);
    peaks.add(StateKind.KV_CACHE, 7);
    peaks.add(StateKind.KV_CACHE, 2);
    peaks.add(StateKind.KV_CACHE, -8);
    assertEquals(Map.of(StateKind.PARAMETERS, 5L, StateKind.KV_CACHE, 9L), peaks.take());
    assertEquals(Map.of(StateKind.PARAMETERS, 5L, StateKind.KV_CACHE, 1L), peaks.take());
    peaks.set(StateKind.PARAMETERS, 0);
    peaks.add(StateKind.KV_CACHE, 3);
    assertEquals(Map.of(StateKind.PARAMETERS, 5L, StateKind.KV_CACHE, 4L), peaks.take());
    assertEquals(Map.of(StateKind.PARAMETERS, 0L, StateKind.KV_CACHE, 4L), peaks.take());
  }
}
