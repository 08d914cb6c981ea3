package roll.torch;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The heap that libtorch takes small tensors from. */
public final class NativeHeap {
  private NativeHeap() {}

  /**
   * Gives memory that was freed back to the system. Large tensors go back by themselves, but what
   * is smaller than 32 MiB glibc keeps for later; other C libraries are left alone.
   */
  public static void trim() {
    Linker linker = Linker.nativeLinker();
    linker.defaultLookup().find("malloc_trim").ifPresent(function -> trim(linker, function));
  }

  @SuppressWarnings("restricted") // a call into the C library is what this is
  private static void trim(Linker linker, MemorySegment function) {
    var trim =
        linker.downcallHandle(
            function, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
    try {
      var unused = (int) trim.invokeExact(0L);
    } catch (Throwable failure) {
      throw new IllegalStateException("malloc_trim failed", failure);
    }
  }
}
