package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDArray;
import java.lang.foreign.MemorySegment;
import roll.torch.foreign.TorchShim;

/**
 * Reads and writes the memory of CPU tensors in place. It uses libtorch's C interface, since DJL's
 * buffers are limited to 2 GiB. Tensors that may be on an accelerator are accessed by {@link
 * HostTransfer}.
 */
public final class TensorMemory {
  private TensorMemory() {}

  /**
   * Returns the numbers of {@code tensor}, row-major, in native byte order; valid while the tensor
   * lives. Only on the compute thread of its device.
   *
   * @throws IllegalArgumentException if it is not in host memory, or not contiguous
   */
  public static MemorySegment of(NDArray tensor) {
    if (TorchShim.deviceType(handle(tensor)) != TorchShim.CPU) {
      throw new IllegalArgumentException("the tensor is not in host memory");
    }
    return address(tensor);
  }

  /**
   * Returns address and size of the numbers of {@code tensor} on its device. On an accelerator the
   * address is for libraries that move its memory, never to be read here.
   *
   * @throws IllegalArgumentException if it is not contiguous
   */
  public static MemorySegment address(NDArray tensor) {
    long handle = handle(tensor);
    if (!TorchShim.dense(handle, tensor.getShape().getShape())) {
      throw new IllegalArgumentException("a tensor " + tensor.getShape() + " with gaps");
    }
    return TorchShim.segment(TorchShim.data(handle), TorchShim.bytes(handle));
  }

  /** Returns the address of the first number of {@code tensor} on its device. */
  public static long place(NDArray tensor) {
    return TorchShim.data(handle(tensor));
  }

  static long handle(NDArray tensor) {
    return ((PtNDArray) tensor).getHandle();
  }
}
