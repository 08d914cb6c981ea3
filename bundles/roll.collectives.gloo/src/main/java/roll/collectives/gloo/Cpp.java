package roll.collectives.gloo;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * Objects of C++ as the compilers of Linux lay them out (Itanium C++ ABI, libstdc++ since GCC 5,
 * {@code c10::intrusive_ptr} of libtorch 2.7).
 */
@SuppressWarnings("restricted") // memory of the library is what this is about
final class Cpp {
  /** Of {@code c10::intrusive_ptr_target}: its virtual functions, then both counts. */
  private static final long COUNT_AT = 8;

  private static final long WEAK_COUNT_AT = 12;

  /** An object that is never freed by the library: nobody counts down so far. */
  private static final int FOREVER = 1 << 30;

  private static final VarHandle INT = JAVA_INT.varHandle();

  private Cpp() {}

  /** A call of a function. */
  interface Call<T> {
    T run() throws Throwable;
  }

  /** The answer of a function, which throws nothing. */
  static <T> T call(Call<T> function) {
    try {
      return function.run();
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** {@code std::string}, to be read. */
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

  /** {@code std::vector} whose elements fill {@code elements}, to be read. */
  static MemorySegment vector(MemorySegment elements, Arena arena) {
    MemorySegment vector = arena.allocate(24, 8);
    vector.set(ADDRESS, 0, elements);
    vector.set(JAVA_LONG, 8, elements.address() + elements.byteSize());
    vector.set(JAVA_LONG, 16, elements.address() + elements.byteSize());
    return vector;
  }

  /** The bytes of a {@code std::vector<uint8_t>}. */
  static byte[] bytes(MemorySegment vector) {
    long begin = vector.get(JAVA_LONG, 0);
    return MemorySegment.ofAddress(begin)
        .reinterpret(vector.get(JAVA_LONG, 8) - begin)
        .toArray(JAVA_BYTE);
  }

  /** {@code c10::intrusive_ptr} to an object made here, which the library never frees. */
  static MemorySegment owned(MemorySegment object, Arena arena) {
    object.set(JAVA_INT, COUNT_AT, FOREVER);
    object.set(JAVA_INT, WEAK_COUNT_AT, FOREVER);
    MemorySegment pointer = arena.allocate(ADDRESS);
    pointer.set(ADDRESS, 0, object);
    return pointer;
  }

  /** Gives up a {@code c10::intrusive_ptr}; the last who does frees the object. */
  static void release(MemorySegment pointer) {
    MemorySegment object = pointer.reinterpret(16);
    if ((int) INT.getAndAdd(object, COUNT_AT, -1) == 1) {
      virtual(object, 1, FunctionDescriptor.ofVoid(ADDRESS), handle -> handle.invoke(object));
    }
  }

  /** What a {@code std::exception} says. */
  static String what(MemorySegment exception) {
    MemorySegment[] text = {MemorySegment.NULL};
    virtual(
        exception,
        2,
        FunctionDescriptor.of(ADDRESS, ADDRESS),
        handle -> text[0] = (MemorySegment) handle.invoke(exception));
    return text[0].reinterpret(Long.MAX_VALUE).getString(0);
  }

  private interface Use {
    void with(MethodHandle function) throws Throwable;
  }

  /** Calls virtual function {@code number} of {@code object}. */
  private static void virtual(
      MemorySegment object, int number, FunctionDescriptor descriptor, Use use) {
    MemorySegment table = object.reinterpret(8).get(ADDRESS, 0).reinterpret(8L * (number + 1));
    MethodHandle function =
        Linker.nativeLinker().downcallHandle(table.getAtIndex(ADDRESS, number), descriptor);
    Object unused =
        call(
            () -> {
              use.with(function);
              return true;
            });
  }
}
