package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDArray;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The memory of tensors, read and written where it lies. It is asked of libtorch's C interface
 * ({@code torch/csrc/inductor/aoti_torch/c/shim.h}), for DJL's buffers end at 2 GiB, and what is
 * written to those of an accelerator's tensors is lost.
 */
public final class TensorMemory {
  /** As everywhere in PyTorch's C interface. */
  private static final int CPU = 0;

  private static final MethodHandle DEVICE = function("aoti_torch_get_device_type");
  private static final MethodHandle DTYPE = function("aoti_torch_get_dtype");
  private static final MethodHandle NUMEL = function("aoti_torch_get_numel");
  private static final MethodHandle DATA = function("aoti_torch_get_data_ptr");
  private static final MethodHandle DIMENSIONS = function("aoti_torch_get_dim");
  private static final MethodHandle STRIDES = function("aoti_torch_get_strides");

  private TensorMemory() {}

  /**
   * The numbers of {@code tensor}, row by row, in native byte order; valid as long as the tensor
   * lives. Only on the compute thread of its device.
   *
   * @throws IllegalArgumentException if it is not in the computer's own memory, or has gaps
   */
  public static MemorySegment of(NDArray tensor) {
    long handle = ((PtNDArray) tensor).getHandle();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
      if (get(DEVICE, handle, out) != CPU) {
        throw new IllegalArgumentException("a tensor of another device has no memory here");
      }
      if (!dense(tensor.getShape().getShape(), handle, out)) {
        throw new IllegalArgumentException("a tensor " + tensor.getShape() + " with gaps");
      }
      long bytes = get(NUMEL, handle, out) * size((int) get(DTYPE, handle, out));
      return segment(get(DATA, handle, out), bytes);
    }
  }

  private static boolean dense(long[] shape, long handle, MemorySegment out) {
    int dimensions = Math.toIntExact(get(DIMENSIONS, handle, out));
    MemorySegment strides =
        segment(get(STRIDES, handle, out), dimensions * ValueLayout.JAVA_LONG.byteSize());
    long expected = 1;
    for (int i = dimensions - 1; i >= 0; i--) {
      if (shape[i] > 1 && strides.getAtIndex(ValueLayout.JAVA_LONG, i) != expected) {
        return false;
      }
      expected *= Math.max(1, shape[i]);
    }
    return true;
  }

  /** Bytes of a number of libtorch's type {@code dtype}. */
  private static long size(int dtype) {
    return switch (dtype) {
      case 0, 1, 11 -> 1; // bytes and booleans
      case 2, 5, 15 -> 2; // shorts, f16, bf16
      case 3, 6 -> 4; // integers, f32
      case 4, 7 -> 8; // longs, f64
      default -> throw new IllegalArgumentException("a tensor of type " + dtype);
    };
  }

  /** What {@code function} says of the tensor {@code handle}. */
  private static long get(MethodHandle function, long handle, MemorySegment out) {
    out.fill((byte) 0); // some functions give 4 bytes
    try {
      int code = (int) function.invokeExact(handle, out);
      if (code != 0) {
        throw new IllegalStateException("libtorch gives no data of a tensor, error " + code);
      }
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable failure) {
      throw new IllegalStateException(failure);
    }
    return out.get(ValueLayout.JAVA_LONG, 0);
  }

  @SuppressWarnings("restricted") // memory of libtorch is what this is about
  private static MemorySegment segment(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  /** A function (tensor, result) of the library that is loaded already, found by its name. */
  @SuppressWarnings("restricted") // the same
  private static MethodHandle function(String name) {
    String library = System.mapLibraryName("torch_cpu");
    String path = library.endsWith(".dylib") ? "@rpath/" + library : library;
    return Linker.nativeLinker()
        .downcallHandle(
            SymbolLookup.libraryLookup(path, Arena.global()).findOrThrow(name),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
  }
}
