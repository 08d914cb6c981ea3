package roll.torch;

import roll.torch.foreign.NativeLibrary;

/** The heap that libtorch takes small tensors from. */
public final class NativeHeap {
  private NativeHeap() {}

  /**
   * Gives memory that was freed back to the system. Large tensors go back by themselves, but what
   * is smaller than 32 MiB glibc keeps for later; other C libraries are left alone.
   */
  public static void trim() {
    var unused = NativeLibrary.standard().code("malloc_trim", 0L);
  }
}
