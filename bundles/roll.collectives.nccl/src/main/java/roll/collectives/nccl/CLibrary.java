package roll.collectives.nccl;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import roll.api.option.UserException;

/**
 * A library whose functions answer with an error code.
 *
 * @param name how messages call it
 * @param symbols of it
 */
record CLibrary(String name, SymbolLookup symbols) {
  /**
   * A function that gives an int.
   *
   * @throws UserException if the library lacks it
   */
  @SuppressWarnings("restricted") // a library of the system is what this is about
  MethodHandle function(String function, MemoryLayout... arguments) {
    return Linker.nativeLinker()
        .downcallHandle(symbol(function), FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
  }

  /** A function that gives a text which lives as long as the library. */
  @SuppressWarnings("restricted") // the same
  MethodHandle text(String function, MemoryLayout... arguments) {
    return Linker.nativeLinker()
        .downcallHandle(symbol(function), FunctionDescriptor.of(ValueLayout.ADDRESS, arguments));
  }

  private MemorySegment symbol(String function) {
    return symbols
        .find(function)
        .orElseThrow(
            () ->
                new UserException(
                    "%s has no function %s: another version is needed".formatted(name, function)));
  }

  /** A call of a function. */
  interface Call<T> {
    T run() throws Throwable;
  }

  /** The answer of a function, which throws nothing of its own. */
  static <T> T call(Call<T> function) {
    try {
      return function.run();
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable failure) {
      throw new IllegalStateException(failure);
    }
  }
}
