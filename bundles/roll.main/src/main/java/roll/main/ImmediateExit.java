package roll.main;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * Ends the process without the exit handlers of native libraries. {@link Runtime#halt} runs them,
 * and those of libtorch destroy what its compute threads still use: the process would end with
 * SIGSEGV.
 */
final class ImmediateExit {
  private ImmediateExit() {}

  /** Ends the process with {@code status}, by POSIX {@code _exit}, or by halting without it. */
  @SuppressWarnings("restricted")
  static void with(int status) {
    try {
      Linker linker = Linker.nativeLinker();
      MethodHandle exit =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("_exit"), FunctionDescriptor.ofVoid(JAVA_INT));
      exit.invokeExact(status);
    } catch (Throwable e) {
      // no such function, or native access is denied
    }
    Runtime.getRuntime().halt(status);
  }
}
