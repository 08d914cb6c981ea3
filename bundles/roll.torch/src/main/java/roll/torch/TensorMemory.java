package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDArray;
import java.lang.foreign.MemorySegment;
import roll.torch.foreign.TorchShim;

/**
 * The memory of tensors of the CPU, read and written where it lies. It is asked of libtorch's C
 * interface, for DJL's buffers end at 2 GiB. What may also be on an accelerator is read and written
 * through {@link HostTransfer}.
 */
public final class TensorMemory {
  private TensorMemory() {}

  /**
   * The numbers of {@code tensor}, row by row, in native byte order; valid as long as the tensor
   * lives. Only on the compute thread of its device.
   *
   * @throws IllegalArgumentException if it is not in the computer's own memory, or has gaps
   */
  public static MemorySegment of(NDArray tensor) {
    if (TorchShim.deviceType(handle(tensor)) != TorchShim.CPU) {
      throw new IllegalArgumentException("a tensor of another device has no memory here");
    }
    return address(tensor);
  }

  /**
   * Address and size of the numbers of {@code tensor}, on whatever device it is: on an accelerator
   * for libraries that move memory there, and never to be read here.
   *
   * @throws IllegalArgumentException if it has gaps
   */
  public static MemorySegment address(NDArray tensor) {
    long handle = handle(tensor);
    if (!TorchShim.dense(handle, tensor.getShape().getShape())) {
      throw new IllegalArgumentException("a tensor " + tensor.getShape() + " with gaps");
    }
    return TorchShim.segment(TorchShim.data(handle), TorchShim.bytes(handle));
  }

  static long handle(NDArray tensor) {
    return ((PtNDArray) tensor).getHandle();
  }
}
