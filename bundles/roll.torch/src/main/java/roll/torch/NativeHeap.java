package roll.torch;

import roll.torch.foreign.NativeLibrary;

/** The C heap, from which libtorch allocates small tensors. */
public final class NativeHeap {
  private NativeHeap() {}

  /**
   * Returns freed memory to the system: glibc keeps blocks below 32 MiB. Does nothing with other C
   * libraries.
   */
  public static void trim() {
    var unused = NativeLibrary.standard().code("malloc_trim", 0L);
  }
}
