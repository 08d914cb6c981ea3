package roll.torch;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The library with which one native operation uses several cores. */
final class OpenMp {
  private static final String POLICY = "OMP_WAIT_POLICY";

  /** How often a thread of GNU's library looks before it sleeps. */
  private static final String SPINS = "10000";

  private OpenMp() {}

  /**
   * Has threads that wait for one another spin for some tenths of a millisecond and then sleep,
   * unless the environment variable {@code OMP_WAIT_POLICY} says what they do. Between the
   * operations of a step they are woken thousands of times a second, which costs more than the
   * spinning; but where other programs keep the cores busy, a thread that spins for long takes the
   * time of the one it waits for. To be called before libtorch is loaded, for that is when the
   * library reads its environment; C libraries without {@code setenv} are left alone.
   */
  static void waitShortly() {
    if (System.getenv(POLICY) != null) {
      return;
    }
    Linker linker = Linker.nativeLinker();
    linker
        .defaultLookup()
        .find("setenv")
        .ifPresent(
            function -> {
              set(linker, function, POLICY, "passive");
              set(linker, function, "GOMP_SPINCOUNT", SPINS);
            });
  }

  /** Sets the variable {@code name}, unless it is there. */
  @SuppressWarnings("restricted") // a call into the C library is what this is
  private static void set(Linker linker, MemorySegment function, String name, String value) {
    var setenv =
        linker.downcallHandle(
            function,
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      var unused = (int) setenv.invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), 0);
    } catch (Throwable failure) {
      throw new IllegalStateException("setenv failed", failure);
    }
  }
}
