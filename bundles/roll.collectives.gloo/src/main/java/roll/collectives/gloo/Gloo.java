package roll.collectives.gloo;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import roll.api.option.UserException;
import roll.torch.foreign.NativeLibrary;

/**
 * Functions of c10d in libtorch 2.7.1, by their C++ names. A C++ exception would end the JVM, so no
 * call may throw or block.
 */
@SuppressWarnings("restricted") // the library
final class Gloo {
  /** Version of libtorch that has these function names and memory layouts. */
  static final String VERSION = "2.7.1";

  private static final String STRING = "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";
  private static final String MILLISECONDS = "NSt6chrono8durationIlSt5ratioILl1ELl1000EEEE";
  private static final String GROUP = "_ZN4c10d16ProcessGroupGloo";

  /** Offsets in {@code ProcessGroupGloo::Options}: devices are a vector, threads an int of 2. */
  private static final long TIMEOUT_AT = 16;

  private static final long DEVICES_AT = 56;
  private static final long THREADS_AT = 80;
  private static final int THREADS = 2;

  /** Longer than any group lives: timeouts are in Java, where they do not throw. */
  private static final long NEVER = 30L * 24 * 3600 * 1000;

  /** Size of the examined part of {@code gloo::Context}. */
  private static final long CONTEXT_BYTES = 96;

  private final NativeLibrary torch = NativeLibrary.torch();

  /** Functions, with their mangled names. */
  enum Symbol {
    NEW_FILE_STORE("_ZN4c10d9FileStoreC1E" + STRING + "i"),
    STORE_SET("_ZN4c10d9FileStore3setERK" + STRING + "RKSt6vectorIhSaIhEE"),
    STORE_GET("_ZN4c10d9FileStore3getERK" + STRING),
    STORE_CHECK("_ZN4c10d9FileStore5checkERKSt6vectorI" + STRING + "SaIS7_EE"),
    NEW_OPTIONS(GROUP + "7OptionsC1E" + MILLISECONDS),
    CREATE_DEVICE(GROUP + "23createDeviceForHostnameERK" + STRING),
    NEW_GROUP(
        GROUP
            + "C1ERKN3c1013intrusive_ptrINS_5StoreENS1_6detail34intrusive_target_default_null"
            + "_typeIS3_EEEEiiNS2_INS0_7OptionsENS5_ISA_EEEE"),
    DELETE_GROUP(GROUP + "D1Ev"),
    CONTEXT(GROUP + "10getContextEj"),
    CLOSE_CONNECTIONS("_ZN4gloo7Context16closeConnectionsEv"),
    TIMEOUT("_ZNK4gloo7Context10getTimeoutEv"),
    ALL_TO_ALL(
        GROUP + "13alltoall_baseERN2at6TensorES3_RSt6vectorIlSaIlEES7_RKNS_15AllToAllOptionsE"),
    BROADCAST(GROUP + "9broadcastERSt6vectorIN2at6TensorESaIS3_EERKNS_16BroadcastOptionsE"),
    IS_COMPLETED("_ZN4c10d4Work11isCompletedEv"),
    IS_SUCCESS("_ZNK4c10d4Work9isSuccessEv"),
    EXCEPTION("_ZNK4c10d4Work9exceptionEv"),
    RELEASE_SHARED("_ZNSt16_Sp_counted_baseILN9__gnu_cxx12_Lock_policyE2EE10_M_releaseEv");

    private final String symbol;

    Symbol(String symbol) {
      this.symbol = symbol;
    }
  }

  /**
   * Binds the functions of the loaded libtorch.
   *
   * @throws UserException if it is another version
   */
  Gloo(String version) {
    if (!version.equals(VERSION) || !System.getProperty("os.name", "").equals("Linux")) {
      throw new UserException(
          "collectives 'gloo' are made for libtorch %s on Linux, not for %s on %s"
              .formatted(VERSION, version, System.getProperty("os.name")));
    }
    for (Symbol function : Symbol.values()) {
      if (!torch.has(function.symbol)) {
        throw new UserException(
            "collectives 'gloo': this libtorch %s has no %s".formatted(VERSION, function.symbol));
      }
    }
    checkLayout();
  }

  /** Calls {@code function}, which returns nothing, or its result through its first argument. */
  void run(Symbol function, Object... arguments) {
    torch.run(function.symbol, arguments);
  }

  /** Calls {@code function}, which returns a boolean. */
  boolean is(Symbol function, Object... arguments) {
    return (boolean) torch.call(JAVA_BOOLEAN, function.symbol, arguments);
  }

  /** Checks that options created by the library have the expected layout. */
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
            "collectives 'gloo': the options of this libtorch %s have an unknown layout"
                .formatted(VERSION));
      }
    }
  }

  private MemorySegment rawOptions(Arena arena) {
    MemorySegment made = arena.allocate(1024, 16);
    run(Symbol.NEW_OPTIONS, made, NEVER);
    return made;
  }

  /** Returns the options of a group over {@code device}, a {@code shared_ptr}. */
  MemorySegment options(MemorySegment device, Arena arena) {
    MemorySegment made = rawOptions(arena);
    MemorySegment.copy(CppObjects.vector(device, arena), 0, made, DEVICES_AT, 24);
    return made;
  }

  /**
   * Sets the timeout of the operations of {@code context}, after which unanswered ones end. It is
   * set after the group is connected, since a timeout while connecting would throw.
   *
   * @throws UserException if the context has an unknown layout
   */
  void setTimeout(MemorySegment context, long milliseconds) {
    MemorySegment words = context.reinterpret(CONTEXT_BYTES);
    for (long at = Long.BYTES; at < CONTEXT_BYTES; at += Long.BYTES) {
      if (words.get(JAVA_LONG, at) == NEVER) {
        words.set(JAVA_LONG, at, milliseconds);
        if ((long) torch.call(JAVA_LONG, Symbol.TIMEOUT.symbol, context) == milliseconds) {
          return;
        }
        words.set(JAVA_LONG, at, NEVER);
      }
    }
    throw new UserException(
        "collectives 'gloo': the contexts of this libtorch %s have an unknown layout"
            .formatted(VERSION));
  }
}
