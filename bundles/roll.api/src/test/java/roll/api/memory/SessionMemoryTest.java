package roll.api.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SessionMemoryTest {
  @Test
  void whatIsOffloadedIsNotResident() {
    SessionMemory memory =
        new SessionMemory(
            3,
            Map.of(MemoryKind.OFFLOADED, 5L, MemoryKind.PARAMETERS, 2L, MemoryKind.KV_CACHE, 0L));
    assertEquals(2, memory.resident());
    assertEquals("{PARAMETERS=2, OFFLOADED=5}", memory.bytes().toString());
  }

  @Test
  void withoutDevicesItIsTheCpu() {
    Map<MemoryKind, Long> bytes = Map.of(MemoryKind.GRADIENTS, 1L);
    assertEquals(List.of(new SessionMemory(-1, bytes)), SessionMemory.each(List.of(), bytes));
    assertEquals(
        List.of(new SessionMemory(2, bytes), new SessionMemory(0, bytes)),
        SessionMemory.each(List.of(2, 0), bytes));
    assertEquals(
        SessionMemory.each(List.of(2, 0), Map.of(MemoryKind.GRADIENTS, 4L)),
        SessionMemory.spread(List.of(2, 0), Map.of(MemoryKind.GRADIENTS, 7L)));
    assertEquals(SessionMemory.each(List.of(), bytes), SessionMemory.spread(List.of(), bytes));
  }
}
