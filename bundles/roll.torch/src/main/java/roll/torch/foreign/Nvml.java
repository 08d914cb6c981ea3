package roll.torch.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** NVIDIA's management library, which comes with the driver: the cards of the machine. */
public final class Nvml {
  private static final int TEXT = 96;

  private final Arena arena;
  private final NativeLibrary library;

  private Nvml(Arena arena, NativeLibrary library) {
    this.arena = arena;
    this.library = library;
  }

  /**
   * The NVIDIA driver's version and cards.
   *
   * @param driver version of the driver
   * @param cards in their order
   */
  public record Report(String driver, List<Card> cards) {}

  /**
   * An NVIDIA card as NVML reports it.
   *
   * @param name product name
   * @param memory of the card in bytes
   * @param used bytes in use by all programs
   */
  public record Card(String name, long memory, long used) {}

  /** Returns the report of this machine's driver; empty if there is none, or it fails. */
  public static Optional<Report> report() {
    String windows = System.mapLibraryName("nvml");
    return report(windows.endsWith(".dll") ? windows : "libnvidia-ml.so.1");
  }

  /** Returns the report of {@code library}, a name or a path. */
  static Optional<Report> report(String library) {
    try (Arena arena = Arena.ofConfined()) {
      return new Nvml(arena, NativeLibrary.open(library)).read();
    }
  }

  private Optional<Report> read() {
    if (library.code("nvmlInit_v2") != 0) {
      return Optional.empty();
    }
    try {
      MemorySegment text = arena.allocate(TEXT);
      MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
      if (library.code("nvmlSystemGetDriverVersion", text, TEXT) != 0
          || library.code("nvmlDeviceGetCount_v2", count) != 0) {
        return Optional.empty();
      }
      String driver = text.getString(0);
      List<Card> cards = new ArrayList<>();
      for (int i = 0; i < count.get(ValueLayout.JAVA_INT, 0); i++) {
        card(i, text).ifPresent(cards::add);
      }
      return Optional.of(new Report(driver, List.copyOf(cards)));
    } finally {
      int unused = library.code("nvmlShutdown");
    }
  }

  private Optional<Card> card(int index, MemorySegment text) {
    MemorySegment handle = arena.allocate(ValueLayout.ADDRESS);
    MemorySegment memory = arena.allocate(ValueLayout.JAVA_LONG, 3); // total, free, used
    if (library.code("nvmlDeviceGetHandleByIndex_v2", index, handle) != 0) {
      return Optional.empty();
    }
    MemorySegment device = handle.get(ValueLayout.ADDRESS, 0);
    if (library.code("nvmlDeviceGetName", device, text, TEXT) != 0
        || library.code("nvmlDeviceGetMemoryInfo", device, memory) != 0) {
      return Optional.empty();
    }
    return Optional.of(
        new Card(
            text.getString(0),
            memory.getAtIndex(ValueLayout.JAVA_LONG, 0),
            memory.getAtIndex(ValueLayout.JAVA_LONG, 2)));
  }
}
