package roll.torch.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * A C library that this machine may have or lack, whose functions answer with an error code, 0 for
 * success.
 */
public final class NativeLibrary {
  /** What a function answers that is not there. */
  public static final int MISSING = -1;

  private final Optional<SymbolLookup> symbols;

  private NativeLibrary(Optional<SymbolLookup> symbols) {
    this.symbols = symbols;
  }

  /** The library of this name or path; one without functions where there is none. */
  @SuppressWarnings("restricted") // a library of the system is what this is about
  public static NativeLibrary open(String name, Arena arena) {
    try {
      return new NativeLibrary(Optional.of(SymbolLookup.libraryLookup(name, arena)));
    } catch (IllegalArgumentException noLibrary) {
      return new NativeLibrary(Optional.empty());
    }
  }

  /** Whether there is one. */
  public boolean present() {
    return symbols.isPresent();
  }

  /**
   * Calls {@code function}.
   *
   * @param arguments each an Integer (int), a Long (long or size_t), or a {@link MemorySegment}
   *     (address)
   * @return its error code, or {@link #MISSING}
   */
  @SuppressWarnings("restricted") // the same
  public int call(String function, Object... arguments) {
    Optional<MemorySegment> address = symbols.flatMap(all -> all.find(function));
    if (address.isEmpty()) {
      return MISSING;
    }
    MemoryLayout[] layouts = new MemoryLayout[arguments.length];
    for (int i = 0; i < layouts.length; i++) {
      layouts[i] =
          switch (arguments[i]) {
            case Integer number -> ValueLayout.JAVA_INT;
            case Long number -> ValueLayout.JAVA_LONG;
            default -> ValueLayout.ADDRESS;
          };
    }
    try {
      return (int)
          Linker.nativeLinker()
              .downcallHandle(address.get(), FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts))
              .invokeWithArguments(arguments);
    } catch (Throwable failure) {
      throw new IllegalStateException(function + " failed", failure);
    }
  }
}
