package roll.collectives.gloo;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import roll.torch.foreign.NativeLibrary;

/**
 * C++ objects in the memory layout of Linux compilers (Itanium C++ ABI, libstdc++ since GCC 5,
 * {@code c10::intrusive_ptr} of libtorch 2.7).
 */
@SuppressWarnings("restricted") // memory of the library
final class CppObjects {
  /** Offsets of the reference counts in {@code c10::intrusive_ptr_target}, after the vtable. */
  private static final long COUNT_AT = 8;

  private static final long WEAK_COUNT_AT = 12;

  /** Reference count that the library never decrements to 0. */
  private static final int FOREVER = 1 << 30;

  private static final VarHandle INT = JAVA_INT.varHandle();

  private static final NativeLibrary STANDARD = NativeLibrary.standard();

  /** Signatures of the deleting destructor, and of {@code std::exception::what}. */
  private static final MethodHandle DELETE =
      NativeLibrary.pointer(FunctionDescriptor.ofVoid(ADDRESS));

  private static final MethodHandle WHAT =
      NativeLibrary.pointer(FunctionDescriptor.of(ADDRESS, ADDRESS));

  private CppObjects() {}

  /** Allocates zeroed memory of the C library, which the library or {@link #free} frees. */
  static MemorySegment zeros(long bytes) {
    MemorySegment memory = (MemorySegment) STANDARD.call(ADDRESS, "calloc", 1L, bytes);
    return memory.reinterpret(bytes);
  }

  /** Frees memory of the C library. */
  static void free(MemorySegment memory) {
    STANDARD.run("free", memory);
  }

  /** Returns a read-only {@code std::string} in native memory. */
  static MemorySegment string(String text, Arena arena) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    MemorySegment string = arena.allocate(32, 8);
    MemorySegment characters = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, characters, JAVA_BYTE, 0, bytes.length);
    string.set(ADDRESS, 0, characters);
    string.set(JAVA_LONG, 8, bytes.length);
    string.set(JAVA_LONG, 16, bytes.length);
    return string;
  }

  /** Returns a read-only {@code std::vector} over {@code elements}. */
  static MemorySegment vector(MemorySegment elements, Arena arena) {
    MemorySegment vector = arena.allocate(24, 8);
    vector.set(ADDRESS, 0, elements);
    vector.set(JAVA_LONG, 8, elements.address() + elements.byteSize());
    vector.set(JAVA_LONG, 16, elements.address() + elements.byteSize());
    return vector;
  }

  /** Returns the bytes of a {@code std::vector<uint8_t>}. */
  static byte[] bytes(MemorySegment vector) {
    long begin = vector.get(JAVA_LONG, 0);
    return MemorySegment.ofAddress(begin)
        .reinterpret(vector.get(JAVA_LONG, 8) - begin)
        .toArray(JAVA_BYTE);
  }

  /** Returns a {@code c10::intrusive_ptr} to an object that the library never frees. */
  static MemorySegment owned(MemorySegment object, Arena arena) {
    object.set(JAVA_INT, COUNT_AT, FOREVER);
    object.set(JAVA_INT, WEAK_COUNT_AT, FOREVER);
    MemorySegment pointer = arena.allocate(ADDRESS);
    pointer.set(ADDRESS, 0, object);
    return pointer;
  }

  /** Releases a {@code c10::intrusive_ptr}; the last release frees the object. */
  static void release(MemorySegment pointer) {
    MemorySegment object = pointer.reinterpret(16);
    if ((int) INT.getAndAdd(object, COUNT_AT, -1) == 1) {
      boolean unused =
          NativeLibrary.answer(
              () -> {
                DELETE.invokeExact(virtual(object, 1), object);
                return true;
              });
    }
  }

  /** Returns the message of a {@code std::exception}. */
  static String what(MemorySegment exception) {
    return NativeLibrary.text(
        NativeLibrary.answer(
            () -> (MemorySegment) WHAT.invokeExact(virtual(exception, 2), exception)));
  }

  /** Returns the address of virtual function {@code number} of {@code object}. */
  private static MemorySegment virtual(MemorySegment object, int number) {
    MemorySegment table = object.reinterpret(8).get(ADDRESS, 0).reinterpret(8L * (number + 1));
    return table.getAtIndex(ADDRESS, number);
  }
}
