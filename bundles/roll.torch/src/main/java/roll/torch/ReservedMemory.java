package roll.torch;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;
import roll.torch.foreign.CudaRuntime;

/** The memory of a card that is in use, reported beside the counted memory. */
final class ReservedMemory {
  private ReservedMemory() {}

  /**
   * Returns {@code held} with the memory in use of card {@code number} added; unchanged if CUDA
   * does not report it.
   */
  static List<SessionMemory> with(List<SessionMemory> held, int number) {
    CudaRuntime cuda = CudaRuntime.loaded();
    if (!cuda.select(number)) {
      return held;
    }
    return cuda.memory().map(card -> with(held, card.total() - card.free())).orElse(held);
  }

  private static List<SessionMemory> with(List<SessionMemory> held, long reserved) {
    List<SessionMemory> all = new ArrayList<>();
    for (SessionMemory one : held) {
      Map<MemoryKind, Long> bytes = new EnumMap<>(MemoryKind.class);
      bytes.putAll(one.bytes());
      bytes.put(MemoryKind.RESERVED, reserved);
      all.add(new SessionMemory(one.device(), bytes));
    }
    return all;
  }
}
