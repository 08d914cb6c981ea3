package roll.torch.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The driver of NVIDIA's cards: which there are, by the numbers that CUDA has for them in this
 * process ({@code CUDA_VISIBLE_DEVICES} hides some and changes their order). Needs no libtorch.
 */
public final class CudaDriver {
  private static final int TEXT = 256;
  private static final int MAJOR = 75;
  private static final int MINOR = 76;

  private final Arena arena;
  private final NativeLibrary library;

  private CudaDriver(Arena arena, NativeLibrary library) {
    this.arena = arena;
    this.library = library;
  }

  /**
   * A card.
   *
   * @param name as its maker calls it
   * @param memory bytes it has
   * @param capability its compute capability, such as 9.0
   */
  public record Card(String name, long memory, String capability) {}

  /** The cards of this process by number; none where there is no driver, or it does not answer. */
  public static List<Card> cards() {
    String windows = System.mapLibraryName("nvcuda");
    return cards(windows.endsWith(".dll") ? windows : "libcuda.so.1");
  }

  /** The name of card {@code number}, or that number where there is none. */
  public static String name(int number) {
    List<Card> cards = cards();
    return number < cards.size() ? cards.get(number).name() : "card " + number;
  }

  /** The cards that the library of this name or path knows. */
  static List<Card> cards(String library) {
    try (Arena arena = Arena.ofConfined()) {
      return new CudaDriver(arena, NativeLibrary.open(library, arena)).read();
    }
  }

  private List<Card> read() {
    MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
    if (library.call("cuInit", 0) != 0 || library.call("cuDeviceGetCount", count) != 0) {
      return List.of();
    }
    List<Card> cards = new ArrayList<>();
    for (int i = 0; i < count.get(ValueLayout.JAVA_INT, 0); i++) {
      Optional<Card> card = card(i);
      if (card.isEmpty()) {
        return cards; // the numbers of those behind it would be wrong
      }
      cards.add(card.get());
    }
    return cards;
  }

  private Optional<Card> card(int number) {
    MemorySegment device = arena.allocate(ValueLayout.JAVA_INT);
    MemorySegment name = arena.allocate(TEXT);
    MemorySegment memory = arena.allocate(ValueLayout.JAVA_LONG);
    MemorySegment version = arena.allocate(ValueLayout.JAVA_INT, 2);
    if (library.call("cuDeviceGet", device, number) != 0) {
      return Optional.empty();
    }
    int handle = device.get(ValueLayout.JAVA_INT, 0);
    MemorySegment minor = version.asSlice(ValueLayout.JAVA_INT.byteSize());
    if (library.call("cuDeviceGetName", name, TEXT, handle) != 0
        || library.call("cuDeviceTotalMem_v2", memory, handle) != 0
        || library.call("cuDeviceGetAttribute", version, MAJOR, handle) != 0
        || library.call("cuDeviceGetAttribute", minor, MINOR, handle) != 0) {
      return Optional.empty();
    }
    return Optional.of(
        new Card(
            name.getString(0),
            memory.get(ValueLayout.JAVA_LONG, 0),
            String.format(
                Locale.ROOT,
                "%d.%d",
                version.getAtIndex(ValueLayout.JAVA_INT, 0),
                version.getAtIndex(ValueLayout.JAVA_INT, 1))));
  }
}
