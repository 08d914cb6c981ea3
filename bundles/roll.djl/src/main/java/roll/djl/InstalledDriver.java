package roll.djl;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * NVIDIA's driver, checked before libraries that need it are loaded.
 *
 * @param major major version of the newest CUDA it supports
 * @param minor minor version
 */
record InstalledDriver(int major, int minor) {
  /** Returns the driver of this machine; empty if there is none. */
  static Optional<InstalledDriver> ofThisMachine() {
    String windows = System.mapLibraryName("nvcuda");
    return of(windows.endsWith(".dll") ? windows : "libcuda.so.1");
  }

  /** Returns the driver of {@code library}, a name or a path. */
  @SuppressWarnings("restricted") // calls the driver
  static Optional<InstalledDriver> of(String library) {
    AddressLayout address = ValueLayout.ADDRESS;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment function =
          SymbolLookup.libraryLookup(library, arena).find("cuDriverGetVersion").orElseThrow();
      MemorySegment version = arena.allocate(ValueLayout.JAVA_INT);
      int error =
          (int)
              Linker.nativeLinker()
                  .downcallHandle(function, FunctionDescriptor.of(ValueLayout.JAVA_INT, address))
                  .invokeExact(version);
      int number = version.get(ValueLayout.JAVA_INT, 0); // 1000 major + 10 minor
      return error != 0 || number == 0
          ? Optional.empty()
          : Optional.of(new InstalledDriver(number / 1000, number % 1000 / 10));
    } catch (IllegalArgumentException | NoSuchElementException none) {
      return Optional.empty();
    } catch (Throwable failure) {
      throw new IllegalStateException("cuDriverGetVersion failed", failure);
    }
  }

  /** Returns the newest CUDA it supports, for messages. */
  @Override
  public String toString() {
    return "a driver for CUDA " + major + "." + minor;
  }
}
