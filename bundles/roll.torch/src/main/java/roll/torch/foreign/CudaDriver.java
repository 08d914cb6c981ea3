package roll.torch.foreign;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import roll.api.option.UserException;

/**
 * NVIDIA's CUDA driver API ({@code cuda.h}), which needs no libtorch: the cards of this process by
 * CUDA device number ({@code CUDA_VISIBLE_DEVICES} hides some and changes their order), their
 * memory and streams. Uses the primary contexts of the cards, as libtorch does; they stay open for
 * the lifetime of the process.
 */
public final class CudaDriver {
  private static final int TEXT = 256;
  private static final int MAJOR = 75;
  private static final int MINOR = 76;
  private static final int SUCCESS = 0;
  private static final int NOT_READY = 600;

  /** {@code CU_POINTER_ATTRIBUTE_MEMORY_TYPE} and its {@code CU_MEMORYTYPE_DEVICE}. */
  private static final int MEMORY_TYPE = 2;

  private static final int DEVICE_MEMORY = 2;

  /** Names of the CUDA driver functions that {@link #open} requires. */
  private static final List<String> FUNCTIONS =
      List.of(
          "cuInit",
          "cuGetErrorString",
          "cuDeviceGet",
          "cuDevicePrimaryCtxRetain",
          "cuCtxSetCurrent",
          "cuStreamCreate",
          "cuStreamQuery",
          "cuStreamDestroy_v2",
          "cuMemAlloc_v2",
          "cuMemFree_v2",
          "cuMemcpyAsync",
          "cuPointerGetAttribute");

  private final NativeLibrary library;
  private final Map<Integer, MemorySegment> contexts = new ConcurrentHashMap<>();

  private CudaDriver(NativeLibrary library) {
    this.library = library;
  }

  /**
   * A CUDA card as the driver describes it.
   *
   * @param name product name
   * @param memory of the card in bytes
   * @param capability compute capability, such as 9.0
   */
  public record Card(String name, long memory, String capability) {}

  /** Returns the cards of this process by number; none if there is no driver, or it fails. */
  public static List<Card> cards() {
    String windows = System.mapLibraryName("nvcuda");
    return cards(windows.endsWith(".dll") ? windows : "libcuda.so.1");
  }

  /** Returns the name of card {@code number}, or the number if there is no such card. */
  public static String name(int number) {
    List<Card> cards = cards();
    return number < cards.size() ? cards.get(number).name() : "card " + number;
  }

  /** Returns the cards reported by the driver library of this name or path. */
  static List<Card> cards(String library) {
    return new CudaDriver(NativeLibrary.open(library)).read();
  }

  private List<Card> read() {
    List<Card> cards = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_INT);
      if (library.code("cuInit", 0) != SUCCESS
          || library.code("cuDeviceGetCount", count) != SUCCESS) {
        return List.of();
      }
      for (int i = 0; i < count.get(JAVA_INT, 0); i++) {
        Optional<Card> card = card(i, arena);
        if (card.isEmpty()) {
          return cards; // the numbers of later cards would be wrong
        }
        cards.add(card.get());
      }
    }
    return cards;
  }

  private Optional<Card> card(int number, Arena arena) {
    MemorySegment device = arena.allocate(JAVA_INT);
    MemorySegment name = arena.allocate(TEXT);
    MemorySegment memory = arena.allocate(JAVA_LONG);
    MemorySegment version = arena.allocate(JAVA_INT, 2);
    if (library.code("cuDeviceGet", device, number) != SUCCESS) {
      return Optional.empty();
    }
    int handle = device.get(JAVA_INT, 0);
    MemorySegment minor = version.asSlice(JAVA_INT.byteSize());
    if (library.code("cuDeviceGetName", name, TEXT, handle) != SUCCESS
        || library.code("cuDeviceTotalMem_v2", memory, handle) != SUCCESS
        || library.code("cuDeviceGetAttribute", version, MAJOR, handle) != SUCCESS
        || library.code("cuDeviceGetAttribute", minor, MINOR, handle) != SUCCESS) {
      return Optional.empty();
    }
    String capability =
        String.format(
            Locale.ROOT, "%d.%d", version.getAtIndex(JAVA_INT, 0), version.getAtIndex(JAVA_INT, 1));
    return Optional.of(new Card(name.getString(0), memory.get(JAVA_LONG, 0), capability));
  }

  /**
   * Opens the driver library of this name or path, for ranks on cards.
   *
   * @throws UserException if there is none
   */
  public static CudaDriver open(String name) {
    NativeLibrary library = NativeLibrary.open(name);
    if (!library.present()) {
      throw new UserException(
          "ranks on cards need a CUDA driver, but this machine has none (%s)".formatted(name));
    }
    CudaDriver driver =
        new CudaDriver(library.requiring("the CUDA driver (" + name + ")", FUNCTIONS));
    driver.check("cuInit", library.code("cuInit", 0));
    return driver;
  }

  private void check(String what, int result) {
    if (result != SUCCESS) {
      throw new UserException("%s: %s".formatted(what, text(result)));
    }
  }

  private String text(int result) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ADDRESS);
      return library.code("cuGetErrorString", result, out) == SUCCESS
          ? NativeLibrary.text(out.get(ADDRESS, 0))
          : "CUDA error " + result;
    }
  }

  /**
   * Makes {@code card} the current device of the calling thread.
   *
   * @throws UserException if there is no such card
   */
  public void use(int card) {
    MemorySegment context = contexts.computeIfAbsent(card, this::context);
    check("cuCtxSetCurrent", library.code("cuCtxSetCurrent", context));
  }

  private MemorySegment context(int card) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment device = arena.allocate(JAVA_INT);
      MemorySegment context = arena.allocate(ADDRESS);
      check("CUDA device " + card, library.code("cuDeviceGet", device, card));
      int number = device.get(JAVA_INT, 0);
      check("CUDA device " + card, library.code("cuDevicePrimaryCtxRetain", context, number));
      return context.get(ADDRESS, 0);
    }
  }

  /**
   * Returns a new stream of the current card. It synchronizes with the default stream, on which
   * libtorch computes.
   */
  public MemorySegment newStream() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stream = arena.allocate(ADDRESS);
      check("cuStreamCreate", library.code("cuStreamCreate", stream, 0));
      return stream.get(ADDRESS, 0);
    }
  }

  /** Returns whether all work queued on {@code stream} has completed. */
  public boolean done(MemorySegment stream) {
    int result = library.code("cuStreamQuery", stream);
    if (result != NOT_READY) {
      check("cuStreamQuery", result);
    }
    return result == SUCCESS;
  }

  /** Destroys the CUDA stream {@code stream}. */
  public void closeStream(MemorySegment stream) {
    int unused = library.code("cuStreamDestroy_v2", stream);
  }

  /** Allocates memory of the current card, to be freed by {@link #free}. */
  @SuppressWarnings("restricted") // of the requested size
  public MemorySegment allocate(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ADDRESS);
      check(
          "cuMemAlloc of %d bytes".formatted(bytes),
          library.code("cuMemAlloc_v2", out, Math.max(1, bytes)));
      return out.get(ADDRESS, 0).reinterpret(bytes);
    }
  }

  /** Frees GPU memory returned by {@link #allocate}. */
  public void free(MemorySegment memory) {
    int unused = library.code("cuMemFree_v2", memory);
  }

  /** Queues a copy between memory of cards or of the host. */
  public void copy(MemorySegment from, MemorySegment to, MemorySegment stream) {
    check("cuMemcpyAsync", library.code("cuMemcpyAsync", to, from, to.byteSize(), stream));
  }

  /** Returns whether {@code memory} is on a card. */
  public boolean onCard(MemorySegment memory) {
    if (!memory.isNative()) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment type = arena.allocate(JAVA_INT);
      int result = library.code("cuPointerGetAttribute", type, MEMORY_TYPE, memory);
      return result == SUCCESS
          && type.get(JAVA_INT, 0) == DEVICE_MEMORY; // host memory is unknown to the driver
    }
  }
}
