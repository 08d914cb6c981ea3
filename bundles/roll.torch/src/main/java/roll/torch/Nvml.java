package roll.torch;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** NVIDIA's management library, which comes with the driver: which cards there are. */
final class Nvml implements AutoCloseable {
  private static final int TEXT = 96;

  private final Arena arena;
  private final SymbolLookup library;

  private Nvml(Arena arena, SymbolLookup library) {
    this.arena = arena;
    this.library = library;
  }

  /**
   * What the driver says.
   *
   * @param driver its version
   * @param cards in their order
   */
  record Report(String driver, List<Card> cards) {}

  /**
   * A card.
   *
   * @param name as its maker calls it
   * @param memory bytes it has
   * @param used bytes that programs use of it
   */
  record Card(String name, long memory, long used) {}

  /** What the driver of this machine says; nothing where there is none, or it does not answer. */
  static Optional<Report> report() {
    String windows = System.mapLibraryName("nvml");
    return report(windows.endsWith(".dll") ? windows : "libnvidia-ml.so.1");
  }

  /** The same by {@code library}, a name or a path. */
  @SuppressWarnings("restricted") // a library of the system is what this is about
  static Optional<Report> report(String library) {
    Arena arena = Arena.ofConfined();
    try (Nvml nvml = new Nvml(arena, SymbolLookup.libraryLookup(library, arena))) {
      return nvml.read();
    } catch (IllegalArgumentException noLibrary) {
      arena.close();
      return Optional.empty();
    }
  }

  private Optional<Report> read() {
    if (call("nvmlInit_v2") != 0) {
      return Optional.empty();
    }
    try {
      MemorySegment text = arena.allocate(TEXT);
      MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
      if (call("nvmlSystemGetDriverVersion", text, TEXT) != 0
          || call("nvmlDeviceGetCount_v2", count) != 0) {
        return Optional.empty();
      }
      String driver = text.getString(0);
      List<Card> cards = new ArrayList<>();
      for (int i = 0; i < count.get(ValueLayout.JAVA_INT, 0); i++) {
        card(i, text).ifPresent(cards::add);
      }
      return Optional.of(new Report(driver, List.copyOf(cards)));
    } finally {
      call("nvmlShutdown");
    }
  }

  private Optional<Card> card(int index, MemorySegment text) {
    MemorySegment handle = arena.allocate(ValueLayout.ADDRESS);
    MemorySegment memory = arena.allocate(ValueLayout.JAVA_LONG, 3); // total, free, used
    if (call("nvmlDeviceGetHandleByIndex_v2", index, handle) != 0) {
      return Optional.empty();
    }
    MemorySegment device = handle.get(ValueLayout.ADDRESS, 0);
    if (call("nvmlDeviceGetName", device, text, TEXT) != 0
        || call("nvmlDeviceGetMemoryInfo", device, memory) != 0) {
      return Optional.empty();
    }
    return Optional.of(
        new Card(
            text.getString(0),
            memory.getAtIndex(ValueLayout.JAVA_LONG, 0),
            memory.getAtIndex(ValueLayout.JAVA_LONG, 2)));
  }

  /** Calls a function of addresses and ints; its error code, or one of our own if it lacks. */
  @SuppressWarnings("restricted") // the same
  private int call(String name, Object... arguments) {
    Optional<MemorySegment> function = library.find(name);
    if (function.isEmpty()) {
      return -1;
    }
    AddressLayout address = ValueLayout.ADDRESS;
    MemoryLayout[] layouts = new MemoryLayout[arguments.length];
    for (int i = 0; i < layouts.length; i++) {
      layouts[i] = arguments[i] instanceof Integer ? ValueLayout.JAVA_INT : address;
    }
    try {
      return (int)
          Linker.nativeLinker()
              .downcallHandle(function.get(), FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts))
              .invokeWithArguments(arguments);
    } catch (Throwable failure) {
      throw new IllegalStateException(name + " failed", failure);
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
