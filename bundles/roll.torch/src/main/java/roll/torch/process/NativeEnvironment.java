package roll.torch.process;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The environment variables that native libraries of this process read. */
public final class NativeEnvironment {
  private NativeEnvironment() {}

  /**
   * Sets the variable {@code name}, unless it is there; where the C library has no {@code setenv},
   * nothing is set.
   */
  public static void setDefault(String name, String value) {
    Linker linker = Linker.nativeLinker();
    linker.defaultLookup().find("setenv").ifPresent(function -> set(linker, function, name, value));
  }

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
