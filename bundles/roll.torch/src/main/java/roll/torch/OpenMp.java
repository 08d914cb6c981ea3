package roll.torch;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The library with which one native operation uses several cores. */
final class OpenMp {
  private OpenMp() {}

  /**
   * Has threads that wait for one another sleep instead of spin, unless the environment variable
   * {@code OMP_WAIT_POLICY} says what they do: where other programs keep the cores busy, a thread
   * that spins takes the time of the one it waits for. To be called before libtorch is loaded, for
   * that is when the library reads its environment; C libraries without {@code setenv} are left
   * alone.
   */
  static void waitAsleep() {
    Linker linker = Linker.nativeLinker();
    linker.defaultLookup().find("setenv").ifPresent(function -> waitAsleep(linker, function));
  }

  @SuppressWarnings("restricted") // a call into the C library is what this is
  private static void waitAsleep(Linker linker, MemorySegment function) {
    var setenv =
        linker.downcallHandle(
            function,
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom("OMP_WAIT_POLICY");
      MemorySegment value = arena.allocateFrom("passive");
      var unused = (int) setenv.invokeExact(name, value, 0); // 0: not over what is there
    } catch (Throwable failure) {
      throw new IllegalStateException("setenv failed", failure);
    }
  }
}
