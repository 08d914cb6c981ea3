package roll.torch.foreign;

import static roll.torch.foreign.NativeLibrary.answer;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * libtorch's C interface ({@code torch/csrc/inductor/aoti_torch/c/shim.h}): metadata of tensors,
 * and copies between devices. Tensors are handles, as in DJL. Error codes become an {@link
 * IllegalStateException}. Method handles are constants, since a step calls them thousands of times.
 */
public final class TorchShim {
  /** The CPU's number in PyTorch's C interface. */
  public static final int CPU = 0;

  /** The number of libtorch's dtype uint8. */
  private static final int UINT8 = 0;

  private static final MethodHandle DEVICE_TYPE = fact("aoti_torch_get_device_type");
  private static final MethodHandle DEVICE_INDEX = fact("aoti_torch_get_device_index");
  private static final MethodHandle DTYPE = fact("aoti_torch_get_dtype");
  private static final MethodHandle NUMEL = fact("aoti_torch_get_numel");
  private static final MethodHandle DATA = fact("aoti_torch_get_data_ptr");
  private static final MethodHandle DIMENSIONS = fact("aoti_torch_get_dim");
  private static final MethodHandle STRIDES = fact("aoti_torch_get_strides");

  private static final MethodHandle FROM_BLOB =
      function(
          "aoti_torch_create_tensor_from_blob",
          ValueLayout.JAVA_LONG, // data
          ValueLayout.JAVA_LONG, // number of dimensions
          ValueLayout.ADDRESS, // sizes
          ValueLayout.ADDRESS, // strides
          ValueLayout.JAVA_LONG, // offset
          ValueLayout.JAVA_INT, // type
          ValueLayout.JAVA_INT, // device type
          ValueLayout.JAVA_INT, // device index
          ValueLayout.ADDRESS); // the tensor
  private static final MethodHandle COPY =
      function(
          "aoti_torch_copy_", ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT);
  private static final MethodHandle ZERO = function("aoti_torch_zero_", ValueLayout.JAVA_LONG);
  private static final MethodHandle DELETE =
      function("aoti_torch_delete_tensor_object", ValueLayout.JAVA_LONG);

  private TorchShim() {}

  /** Returns the device type of a tensor, {@link #CPU} or another. */
  public static int deviceType(long tensor) {
    return (int) get(DEVICE_TYPE, tensor);
  }

  /** Returns the device index of a tensor; -1 or 0 for the CPU. */
  public static int deviceIndex(long tensor) {
    return (int) get(DEVICE_INDEX, tensor);
  }

  /** Returns the size of a contiguous tensor in bytes. */
  public static long bytes(long tensor) {
    return get(NUMEL, tensor) * size((int) get(DTYPE, tensor));
  }

  /** Returns the address of a tensor's first number on its device. */
  public static long data(long tensor) {
    return get(DATA, tensor);
  }

  /** Returns whether a tensor of {@code shape} is contiguous in row-major order. */
  public static boolean dense(long tensor, long[] shape) {
    int dimensions = Math.toIntExact(get(DIMENSIONS, tensor));
    MemorySegment strides =
        segment(get(STRIDES, tensor), dimensions * ValueLayout.JAVA_LONG.byteSize());
    long expected = 1;
    for (int i = dimensions - 1; i >= 0; i--) {
      if (shape[i] > 1 && strides.getAtIndex(ValueLayout.JAVA_LONG, i) != expected) {
        return false;
      }
      expected *= Math.max(1, shape[i]);
    }
    return true;
  }

  /** Copies {@code bytes} bytes; returns when both locations may be used again. */
  public static void copy(Place from, Place to, long bytes) {
    try (Blob source = new Blob(from, bytes);
        Blob target = new Blob(to, bytes)) {
      check(
          answer(() -> (int) COPY.invokeExact(target.handle, source.handle, 0)), "copies nothing");
    }
  }

  /** Sets {@code bytes} bytes of memory to zero. */
  public static void zero(Place place, long bytes) {
    try (Blob blob = new Blob(place, bytes)) {
      check(answer(() -> (int) ZERO.invokeExact(blob.handle)), "sets nothing to zero");
    }
  }

  /**
   * The location of a tensor's bytes.
   *
   * @param type of the device
   * @param index of the device
   * @param address there
   */
  public record Place(int type, int index, long address) {
    /** Returns the location of host memory. */
    public static Place host(MemorySegment memory) {
      return new Place(CPU, 0, memory.address());
    }

    /** Returns the location of a tensor from byte {@code first} on. */
    public static Place of(long tensor, long first) {
      return new Place(deviceType(tensor), deviceIndex(tensor), data(tensor) + first);
    }
  }

  /** A tensor of bytes over borrowed memory, to be closed. */
  public static final class Blob implements AutoCloseable {
    private final long handle;

    /** Creates a tensor over {@code bytes} bytes from {@code place} on. */
    public Blob(Place place, long bytes) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment size = arena.allocateFrom(ValueLayout.JAVA_LONG, bytes);
        MemorySegment stride = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
        MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
        int code =
            answer(
                () ->
                    (int)
                        FROM_BLOB.invokeExact(
                            place.address(),
                            1L,
                            size,
                            stride,
                            0L,
                            UINT8,
                            place.type(),
                            place.index(),
                            out));
        check(code, "makes no tensor over memory");
        this.handle = out.get(ValueLayout.JAVA_LONG, 0);
      }
    }

    /** Returns the address of the {@code at::Tensor}. */
    public long handle() {
      return handle;
    }

    @Override
    public void close() {
      check(answer(() -> (int) DELETE.invokeExact(handle)), "frees no tensor");
    }
  }

  /** Returns the bytes of an element of libtorch's {@code dtype}. */
  private static long size(int dtype) {
    return switch (dtype) {
      case UINT8, 1, 11 -> 1; // bytes and booleans
      case 2, 5, 15 -> 2; // shorts, f16, bf16
      case 3, 6 -> 4; // integers, f32
      case 4, 7 -> 8; // longs, f64
      default -> throw new IllegalArgumentException("a tensor of type " + dtype);
    };
  }

  /** Returns the value that {@code function} reports of a tensor. */
  private static long get(MethodHandle function, long tensor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out =
          arena.allocate(
              ValueLayout.JAVA_LONG); // zero-initialized, as some functions write only 4 bytes
      check(answer(() -> (int) function.invokeExact(tensor, out)), "gives no data of a tensor");
      return out.get(ValueLayout.JAVA_LONG, 0);
    }
  }

  private static void check(int code, String what) {
    if (code != 0) {
      throw new IllegalStateException("libtorch " + what + ", error " + code);
    }
  }

  /** Returns host memory at an address of libtorch. */
  @SuppressWarnings("restricted") // reads memory of libtorch
  public static MemorySegment segment(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  private static MethodHandle fact(String name) {
    return function(name, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);
  }

  private static MethodHandle function(String name, MemoryLayout... arguments) {
    return NativeLibrary.torch()
        .function(name, FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
  }
}
