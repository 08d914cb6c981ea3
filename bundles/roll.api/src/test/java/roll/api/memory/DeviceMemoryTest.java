package roll.api.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceMemoryTest {
  @Test
  void whatIsOffloadedIsNotResident() {
    DeviceMemory memory =
        new DeviceMemory(
            3,
            Map.of(MemoryKind.OFFLOADED, 5L, MemoryKind.PARAMETERS, 2L, MemoryKind.KV_CACHE, 0L));
    assertEquals(2, memory.resident());
    assertEquals("{PARAMETERS=2, OFFLOADED=5}", memory.bytes().toString());
  }

  @Test
  void withoutDevicesItIsTheCpu() {
    Map<MemoryKind, Long> bytes = Map.of(MemoryKind.GRADIENTS, 1L);
    assertEquals(List.of(new DeviceMemory(-1, bytes)), DeviceMemory.each(List.of(), bytes));
    assertEquals(
        List.of(new DeviceMemory(2, bytes), new DeviceMemory(0, bytes)),
        DeviceMemory.each(List.of(2, 0), bytes));
    assertEquals(
        DeviceMemory.each(List.of(2, 0), Map.of(MemoryKind.GRADIENTS, 4L)),
        DeviceMemory.spread(List.of(2, 0), Map.of(MemoryKind.GRADIENTS, 7L)));
    assertEquals(DeviceMemory.each(List.of(), bytes), DeviceMemory.spread(List.of(), bytes));
  }
}
