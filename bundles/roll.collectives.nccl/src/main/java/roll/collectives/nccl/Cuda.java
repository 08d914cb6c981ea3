package roll.collectives.nccl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import roll.api.option.UserException;

/**
 * The functions of CUDA's driver that are used ({@code cuda.h}). Cards are used in their primary
 * contexts, which libtorch uses, too; they stay open as long as the process lives.
 */
final class Cuda {
  private static final int SUCCESS = 0;
  private static final int NOT_READY = 600;

  /** {@code CU_POINTER_ATTRIBUTE_MEMORY_TYPE} and its {@code CU_MEMORYTYPE_DEVICE}. */
  private static final int MEMORY_TYPE = 2;

  private static final int DEVICE_MEMORY = 2;

  private final MethodHandle deviceGet;
  private final MethodHandle primaryCtxRetain;
  private final MethodHandle ctxSetCurrent;
  private final MethodHandle streamCreate;
  private final MethodHandle streamQuery;
  private final MethodHandle streamDestroy;
  private final MethodHandle memAlloc;
  private final MethodHandle memFree;
  private final MethodHandle memcpyAsync;
  private final MethodHandle pointerGetAttribute;
  private final MethodHandle getErrorString;
  private final Map<Integer, MemorySegment> contexts = new ConcurrentHashMap<>();

  private Cuda(CLibrary library) {
    MethodHandle init = library.function("cuInit", JAVA_INT);
    getErrorString = library.function("cuGetErrorString", JAVA_INT, ADDRESS);
    deviceGet = library.function("cuDeviceGet", ADDRESS, JAVA_INT);
    primaryCtxRetain = library.function("cuDevicePrimaryCtxRetain", ADDRESS, JAVA_INT);
    ctxSetCurrent = library.function("cuCtxSetCurrent", ADDRESS);
    streamCreate = library.function("cuStreamCreate", ADDRESS, JAVA_INT);
    streamQuery = library.function("cuStreamQuery", ADDRESS);
    streamDestroy = library.function("cuStreamDestroy_v2", ADDRESS);
    memAlloc = library.function("cuMemAlloc_v2", ADDRESS, JAVA_LONG);
    memFree = library.function("cuMemFree_v2", ADDRESS);
    memcpyAsync = library.function("cuMemcpyAsync", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
    pointerGetAttribute = library.function("cuPointerGetAttribute", ADDRESS, JAVA_INT, ADDRESS);
    check("cuInit", CLibrary.call(() -> (int) init.invokeExact(0)));
  }

  /**
   * The driver by its name or path.
   *
   * @throws UserException if there is none
   */
  @SuppressWarnings("restricted") // a library of the system is what this is about
  static Cuda open(String library) {
    try {
      return new Cuda(
          new CLibrary(
              "the CUDA driver (" + library + ")",
              SymbolLookup.libraryLookup(library, Arena.global())));
    } catch (IllegalArgumentException noLibrary) {
      throw new UserException(
          "no CUDA driver is here (%s), which ranks on cards need".formatted(library), noLibrary);
    }
  }

  private void check(String function, int result) {
    if (result != SUCCESS) {
      throw new UserException("%s: %s".formatted(function, text(result)));
    }
  }

  @SuppressWarnings("restricted") // texts of the library
  private String text(int result) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ADDRESS);
      int found = CLibrary.call(() -> (int) getErrorString.invokeExact(result, out));
      return found == SUCCESS
          ? out.get(ADDRESS, 0).reinterpret(Long.MAX_VALUE).getString(0)
          : "CUDA error " + result;
    }
  }

  /**
   * Makes {@code card} the one that the calling thread works with.
   *
   * @throws UserException if there is no such card
   */
  void use(int card) {
    MemorySegment context = contexts.computeIfAbsent(card, this::context);
    check("cuCtxSetCurrent", CLibrary.call(() -> (int) ctxSetCurrent.invokeExact(context)));
  }

  private MemorySegment context(int card) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment device = arena.allocate(JAVA_INT);
      MemorySegment context = arena.allocate(ADDRESS);
      check("CUDA device " + card, CLibrary.call(() -> (int) deviceGet.invokeExact(device, card)));
      int number = device.get(JAVA_INT, 0);
      check(
          "CUDA device " + card,
          CLibrary.call(() -> (int) primaryCtxRetain.invokeExact(context, number)));
      return context.get(ADDRESS, 0);
    }
  }

  /**
   * A new stream of the card in use. It begins nothing before what the default stream had to do is
   * done, where libtorch computes.
   */
  MemorySegment newStream() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stream = arena.allocate(ADDRESS);
      check("cuStreamCreate", CLibrary.call(() -> (int) streamCreate.invokeExact(stream, 0)));
      return stream.get(ADDRESS, 0);
    }
  }

  /** Whether all that was queued on {@code stream} is done. */
  boolean done(MemorySegment stream) {
    int result = CLibrary.call(() -> (int) streamQuery.invokeExact(stream));
    if (result != NOT_READY) {
      check("cuStreamQuery", result);
    }
    return result == SUCCESS;
  }

  void closeStream(MemorySegment stream) {
    int unused = CLibrary.call(() -> (int) streamDestroy.invokeExact(stream));
  }

  /** Memory of the card in use; to be freed. */
  @SuppressWarnings("restricted") // as long as it was asked for
  MemorySegment allocate(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ADDRESS);
      check(
          "cuMemAlloc of %d bytes".formatted(bytes),
          CLibrary.call(() -> (int) memAlloc.invokeExact(out, Math.max(1, bytes))));
      return out.get(ADDRESS, 0).reinterpret(bytes);
    }
  }

  void free(MemorySegment memory) {
    int unused = CLibrary.call(() -> (int) memFree.invokeExact(memory));
  }

  /** Queues a copy between any two memories, of cards or of the computer. */
  void copy(MemorySegment from, MemorySegment to, MemorySegment stream) {
    long bytes = to.byteSize();
    check(
        "cuMemcpyAsync",
        CLibrary.call(() -> (int) memcpyAsync.invokeExact(to, from, bytes, stream)));
  }

  /** Whether {@code memory} is a card's. */
  boolean onCard(MemorySegment memory) {
    if (!memory.isNative()) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment type = arena.allocate(JAVA_INT);
      int result =
          CLibrary.call(() -> (int) pointerGetAttribute.invokeExact(type, MEMORY_TYPE, memory));
      return result == SUCCESS
          && type.get(JAVA_INT, 0) == DEVICE_MEMORY; // others are unknown to it
    }
  }
}
