package roll.collectives.nccl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import roll.api.option.UserException;
import roll.torch.foreign.NativeLibrary;

/**
 * Functions of NCCL, with the names, types and results of {@code nccl.h}. They exist from 2.14 on,
 * the first version with non-blocking communicators; a library without one of them is refused.
 */
final class Nccl {
  static final int SUCCESS = 0;
  static final int IN_PROGRESS = 7;

  /** The values of {@code ncclUint8} and {@code ncclFloat32}. */
  static final int BYTES = 1;

  static final int FLOATS = 7;

  private static final int SUM = 0;
  private static final int ID_BYTES = 128;
  private static final int OLDEST = 21400;
  private static final int NEXT_MAJOR = 30000;

  /** Size of {@code ncclConfig_t} in 2.14, with 4 bytes of padding. */
  private static final long CONFIG_BYTES = 24;

  private static final int CONFIG_MAGIC = 0xcafebeef;

  private static final List<String> FUNCTIONS =
      List.of(
          "ncclGetUniqueId",
          "ncclCommInitRankConfig",
          "ncclCommGetAsyncError",
          "ncclCommAbort",
          "ncclCommDestroy",
          "ncclGetErrorString",
          "ncclGetLastError",
          "ncclAllReduce",
          "ncclReduceScatter",
          "ncclBroadcast",
          "ncclAllGather",
          "ncclSend",
          "ncclRecv");

  private final String name;
  private final NativeLibrary library;

  /** {@code ncclCommInitRankConfig}, which takes the id by value. */
  private final MethodHandle commInitRankConfig;

  private Nccl(String name, NativeLibrary library) {
    this.name = name;
    checkVersion(name, library);
    this.library = library.requiring(name, FUNCTIONS);
    MemoryLayout id = MemoryLayout.structLayout(MemoryLayout.sequenceLayout(ID_BYTES, JAVA_BYTE));
    this.commInitRankConfig =
        library.function(
            "ncclCommInitRankConfig",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, id, JAVA_INT, ADDRESS));
  }

  /**
   * Loads the first of {@code candidates}, names or paths, that is NCCL.
   *
   * @throws UserException if there is none, or its version is not supported
   */
  static Nccl open(List<String> candidates) {
    String found = NcclLibraryFinder.find(candidates);
    return new Nccl("NCCL (" + found + ")", NativeLibrary.open(found));
  }

  private static void checkVersion(String name, NativeLibrary library) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment version = arena.allocate(JAVA_INT);
      int result = library.code("ncclGetVersion", version);
      int code = version.get(JAVA_INT, 0);
      if (result != SUCCESS || code < OLDEST || code >= NEXT_MAJOR) {
        throw new UserException(
            "%s is version %s; 2.14 or newer is needed".formatted(name, version(code)));
      }
    }
  }

  /** Formats a version code: 2.8.3 is 2803, 2.26.2 is 22602. */
  private static String version(int code) {
    int major = code < 10_000 ? code / 1000 : code / 10_000;
    int rest = code < 10_000 ? code % 1000 : code % 10_000;
    return "%d.%d.%d".formatted(major, rest / 100, rest % 100);
  }

  /** Creates the unique id of a new group. */
  byte[] uniqueId() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment id = arena.allocate(ID_BYTES);
      int result = library.code("ncclGetUniqueId", id);
      if (result != SUCCESS) {
        throw new UserException(name + " gives no id for a group: " + text(result));
      }
      return id.toArray(JAVA_BYTE);
    }
  }

  /**
   * Starts joining a group; {@link #state} tells when that is done.
   *
   * <p>The configuration has the layout of 2.14. Later versions accept it by its size field, and
   * use the defaults of fields that they have added.
   *
   * @param comm receives the communicator
   */
  int init(MemorySegment comm, int size, byte[] id, int rank) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment config = arena.allocate(CONFIG_BYTES, Long.BYTES);
      config.set(JAVA_LONG, 0, CONFIG_BYTES);
      config.set(JAVA_INT, 8, CONFIG_MAGIC);
      config.set(JAVA_INT, 12, OLDEST);
      config.set(JAVA_INT, 16, 0); // blocking
      MemorySegment struct = arena.allocateFrom(JAVA_BYTE, id);
      return NativeLibrary.answer(
          () -> (int) commInitRankConfig.invokeExact(comm, size, struct, rank, config));
    }
  }

  /** Returns {@link #IN_PROGRESS}, {@link #SUCCESS}, or the code of an asynchronous error. */
  int state(MemorySegment comm) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(JAVA_INT);
      int result = library.code("ncclCommGetAsyncError", comm, state);
      return result == SUCCESS ? state.get(JAVA_INT, 0) : result;
    }
  }

  /** Aborts operations and frees the communicator. */
  void abort(MemorySegment comm) {
    int unused = library.code("ncclCommAbort", comm);
  }

  /** Frees an idle NCCL communicator. */
  void destroy(MemorySegment comm) {
    int unused = library.code("ncclCommDestroy", comm);
  }

  /** Returns the library's description of {@code result}. */
  String text(int result) {
    return read(library.call(ADDRESS, "ncclGetErrorString", result));
  }

  /** Returns the last error of a group, or "". */
  String lastError(MemorySegment comm) {
    return read(library.call(ADDRESS, "ncclGetLastError", comm));
  }

  private static String read(Object answer) {
    MemorySegment text = (MemorySegment) answer;
    return text.address() == 0
        ? ""
        : NativeLibrary.text(text).lines().findFirst().orElse("").strip();
  }

  /** GPU memory with the number and type of its elements. */
  record Buffer(MemorySegment at, long count, int type) {}

  /** Communicator and stream of a call. */
  record Queue(MemorySegment comm, MemorySegment stream) {}

  int allReduce(Buffer in, MemorySegment out, Queue to) {
    return library.code(
        "ncclAllReduce", in.at(), out, in.count(), in.type(), SUM, to.comm(), to.stream());
  }

  /** The length is that of {@code out}. */
  int reduceScatter(MemorySegment in, Buffer out, Queue to) {
    return library.code(
        "ncclReduceScatter", in, out.at(), out.count(), out.type(), SUM, to.comm(), to.stream());
  }

  /** The length is that of {@code in}. */
  int allGather(Buffer in, MemorySegment out, Queue to) {
    return library.code(
        "ncclAllGather", in.at(), out, in.count(), in.type(), to.comm(), to.stream());
  }

  int broadcast(Buffer all, int root, Queue to) {
    return library.code(
        "ncclBroadcast", all.at(), all.at(), all.count(), all.type(), root, to.comm(), to.stream());
  }

  int send(Buffer message, int rank, Queue to) {
    return library.code(
        "ncclSend", message.at(), message.count(), message.type(), rank, to.comm(), to.stream());
  }

  int receive(Buffer message, int rank, Queue to) {
    return library.code(
        "ncclRecv", message.at(), message.count(), message.type(), rank, to.comm(), to.stream());
  }
}
