package roll.collectives.gloo;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import roll.api.option.UserException;

/**
 * The functions of libtorch 2.7.1's c10d that are used, by their C++ names. None of them may throw:
 * an exception would end the JVM, so nothing is waited for in them.
 */
@SuppressWarnings("restricted") // the library is what this is about
final class Gloo {
  /** The version whose names and layouts these are. */
  static final String VERSION = "2.7.1";

  private static final String STRING = "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";
  private static final String MILLISECONDS = "NSt6chrono8durationIlSt5ratioILl1ELl1000EEEE";
  private static final String GROUP = "_ZN4c10d16ProcessGroupGloo";

  /** Of {@code ProcessGroupGloo::Options}: devices (a vector), threads (an int, 2). */
  private static final long TIMEOUT_AT = 16;

  private static final long DEVICES_AT = 56;
  private static final long THREADS_AT = 80;
  private static final int THREADS = 2;

  /** Longer than any group lives: limits are kept here, where they do not throw. */
  private static final long NEVER = 30L * 24 * 3600 * 1000;

  /** Part of {@code gloo::Context}, which is larger. */
  private static final long CONTEXT_BYTES = 96;

  private final SymbolLookup symbols;
  final MethodHandle fileStore;
  final MethodHandle storeSet;
  final MethodHandle storeGet;
  final MethodHandle storeCheck;
  final MethodHandle options;
  final MethodHandle device;
  final MethodHandle group;
  final MethodHandle closeGroup;
  final MethodHandle context;
  final MethodHandle closeConnections;
  private final MethodHandle timeout;
  final MethodHandle allToAll;
  final MethodHandle broadcast;
  final MethodHandle completed;
  final MethodHandle success;
  final MethodHandle exception;
  final MethodHandle releaseShared;
  final MethodHandle tensor;
  final MethodHandle deleteTensor;
  final MethodHandle malloc;
  final MethodHandle free;

  /**
   * Those of the libtorch that is loaded.
   *
   * @throws UserException if it is another than that these are of
   */
  Gloo(String version) {
    if (!version.equals(VERSION) || !System.getProperty("os.name", "").equals("Linux")) {
      throw new UserException(
          "collectives 'gloo' are made for libtorch %s on Linux, not for %s on %s"
              .formatted(VERSION, version, System.getProperty("os.name")));
    }
    symbols = SymbolLookup.libraryLookup(System.mapLibraryName("torch_cpu"), Arena.global());
    String bytes = "RKSt6vectorIhSaIhEE";
    fileStore = function("_ZN4c10d9FileStoreC1E" + STRING + "i", ADDRESS, ADDRESS, JAVA_INT);
    storeSet = function("_ZN4c10d9FileStore3setERK" + STRING + bytes, ADDRESS, ADDRESS, ADDRESS);
    storeGet = function("_ZN4c10d9FileStore3getERK" + STRING, ADDRESS, ADDRESS, ADDRESS);
    storeCheck =
        answering(
            "_ZN4c10d9FileStore5checkERKSt6vectorI" + STRING + "SaIS7_EE",
            JAVA_BOOLEAN,
            ADDRESS,
            ADDRESS);
    options = function(GROUP + "7OptionsC1E" + MILLISECONDS, ADDRESS, JAVA_LONG);
    device = function(GROUP + "23createDeviceForHostnameERK" + STRING, ADDRESS, ADDRESS);
    group =
        function(
            GROUP
                + "C1ERKN3c1013intrusive_ptrINS_5StoreENS1_6detail34intrusive_target_default_null"
                + "_typeIS3_EEEEiiNS2_INS0_7OptionsENS5_ISA_EEEE",
            ADDRESS,
            ADDRESS,
            JAVA_INT,
            JAVA_INT,
            ADDRESS);
    closeGroup = function(GROUP + "D1Ev", ADDRESS);
    context = function(GROUP + "10getContextEj", ADDRESS, ADDRESS, JAVA_INT);
    closeConnections = function("_ZN4gloo7Context16closeConnectionsEv", ADDRESS);
    timeout = answering("_ZNK4gloo7Context10getTimeoutEv", JAVA_LONG, ADDRESS);
    allToAll =
        function(
            GROUP + "13alltoall_baseERN2at6TensorES3_RSt6vectorIlSaIlEES7_RKNS_15AllToAllOptionsE",
            ADDRESS,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            ADDRESS);
    broadcast =
        function(
            GROUP + "9broadcastERSt6vectorIN2at6TensorESaIS3_EERKNS_16BroadcastOptionsE",
            ADDRESS,
            ADDRESS,
            ADDRESS,
            ADDRESS);
    completed = answering("_ZN4c10d4Work11isCompletedEv", JAVA_BOOLEAN, ADDRESS);
    success = answering("_ZNK4c10d4Work9isSuccessEv", JAVA_BOOLEAN, ADDRESS);
    exception = function("_ZNK4c10d4Work9exceptionEv", ADDRESS, ADDRESS);
    releaseShared =
        function("_ZNSt16_Sp_counted_baseILN9__gnu_cxx12_Lock_policyE2EE10_M_releaseEv", ADDRESS);
    tensor =
        answering(
            "aoti_torch_create_tensor_from_blob",
            JAVA_INT,
            ADDRESS,
            JAVA_LONG,
            ADDRESS,
            ADDRESS,
            JAVA_LONG,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            ADDRESS);
    deleteTensor = answering("aoti_torch_delete_tensor_object", JAVA_INT, ADDRESS);
    malloc = standard("malloc", FunctionDescriptor.of(ADDRESS, JAVA_LONG));
    free = standard("free", FunctionDescriptor.ofVoid(ADDRESS));
    checkLayout();
  }

  private static MethodHandle standard(String name, FunctionDescriptor descriptor) {
    MemorySegment symbol = Linker.nativeLinker().defaultLookup().findOrThrow(name);
    return Linker.nativeLinker().downcallHandle(symbol, descriptor);
  }

  private MethodHandle function(String name, MemoryLayout... arguments) {
    return handle(name, FunctionDescriptor.ofVoid(arguments));
  }

  private MethodHandle answering(String name, MemoryLayout answer, MemoryLayout... arguments) {
    return handle(name, FunctionDescriptor.of(answer, arguments));
  }

  private MethodHandle handle(String name, FunctionDescriptor descriptor) {
    MemorySegment symbol =
        symbols
            .find(name)
            .orElseThrow(
                () ->
                    new UserException(
                        "collectives 'gloo': this libtorch %s has no %s".formatted(VERSION, name)));
    return Linker.nativeLinker().downcallHandle(symbol, descriptor);
  }

  /** Options as the library fills them in have their numbers where they are looked for. */
  private void checkLayout() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = rawOptions(arena);
      boolean devices = true;
      for (long at = DEVICES_AT; at < THREADS_AT; at += Long.BYTES) {
        devices &= made.get(JAVA_LONG, at) == 0;
      }
      if (made.get(JAVA_LONG, TIMEOUT_AT) != NEVER
          || !devices
          || made.get(JAVA_INT, THREADS_AT) != THREADS) {
        throw new UserException(
            "collectives 'gloo': the options of this libtorch %s are laid out otherwise"
                .formatted(VERSION));
      }
    }
  }

  private MemorySegment rawOptions(Arena arena) {
    MemorySegment made = arena.allocate(1024, 16);
    run(() -> options.invoke(made, NEVER));
    return made;
  }

  /** Options of a group over {@code device}, a {@code shared_ptr}. */
  MemorySegment options(MemorySegment device, Arena arena) {
    MemorySegment made = rawOptions(arena);
    MemorySegment.copy(Cpp.vector(device, arena), 0, made, DEVICES_AT, 24);
    return made;
  }

  /**
   * Gives the operations of {@code context} a limit, which its connecting must not have; then those
   * that nobody answers end by themselves.
   *
   * @throws UserException if the context is laid out otherwise
   */
  void limit(MemorySegment context, long milliseconds) {
    MemorySegment words = context.reinterpret(CONTEXT_BYTES);
    for (long at = Long.BYTES; at < CONTEXT_BYTES; at += Long.BYTES) {
      if (words.get(JAVA_LONG, at) == NEVER) {
        words.set(JAVA_LONG, at, milliseconds);
        if (Cpp.call(() -> (long) timeout.invoke(context)) == milliseconds) {
          return;
        }
        words.set(JAVA_LONG, at, NEVER);
      }
    }
    throw new UserException(
        "collectives 'gloo': the contexts of this libtorch %s are laid out otherwise"
            .formatted(VERSION));
  }

  /** A call of a function that answers nothing. */
  interface Work {
    void run() throws Throwable;
  }

  static void run(Work work) {
    Object unused =
        Cpp.call(
            () -> {
              work.run();
              return true;
            });
  }

  /** A tensor of the bytes of {@code memory}, which stays where it is; to be deleted. */
  MemorySegment bytes(MemorySegment memory) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocateFrom(JAVA_LONG, memory.byteSize());
      MemorySegment stride = arena.allocateFrom(JAVA_LONG, 1);
      MemorySegment out = arena.allocate(ADDRESS);
      int code = Cpp.call(() -> (int) tensor.invoke(memory, 1L, size, stride, 0L, 0, 0, -1, out));
      if (code != 0) {
        throw new IllegalStateException("libtorch makes no tensor, error " + code);
      }
      return out.get(ADDRESS, 0);
    }
  }
}
