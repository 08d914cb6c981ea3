package roll.torch;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import roll.api.memory.DeviceMemory;
import roll.api.memory.MemoryKind;
import roll.torch.foreign.CudaRuntime;

/** What is in use of a card, beside what is counted. */
final class ReservedMemory {
  private ReservedMemory() {}

  /**
   * {@code held}, each with what is in use of card {@code number}; as it is where CUDA is silent.
   */
  static List<DeviceMemory> with(List<DeviceMemory> held, int number) {
    CudaRuntime cuda = CudaRuntime.loaded();
    if (!cuda.select(number)) {
      return held;
    }
    return cuda.memory().map(card -> with(held, card.total() - card.free())).orElse(held);
  }

  private static List<DeviceMemory> with(List<DeviceMemory> held, long reserved) {
    List<DeviceMemory> all = new ArrayList<>();
    for (DeviceMemory one : held) {
      Map<MemoryKind, Long> bytes = new EnumMap<>(MemoryKind.class);
      bytes.putAll(one.bytes());
      bytes.put(MemoryKind.RESERVED, reserved);
      all.add(new DeviceMemory(one.device(), bytes));
    }
    return all;
  }
}
