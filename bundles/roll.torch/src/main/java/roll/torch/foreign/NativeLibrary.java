package roll.torch.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.UserException;

/**
 * A C library that may be missing on this machine. A function is linked at its first call with the
 * types of those arguments: an Integer is an int, a Long a long or size_t, a Boolean a bool, a
 * {@link MemorySegment} an address.
 */
@SuppressWarnings("restricted") // calls native code
public final class NativeLibrary {
  /** The error code that {@link #code} returns if the library lacks the function. */
  public static final int MISSING = -1;

  private static final Linker LINKER = Linker.nativeLinker();

  private final @Nullable SymbolLookup symbols;
  private final Map<String, MethodHandle> linked = new ConcurrentHashMap<>();

  private NativeLibrary(@Nullable SymbolLookup symbols) {
    this.symbols = symbols;
  }

  /**
   * Returns the library of this name or path, loaded for the lifetime of the process; {@link #none}
   * if there is no such library.
   */
  public static NativeLibrary open(String name) {
    try {
      return new NativeLibrary(SymbolLookup.libraryLookup(name, Arena.global()));
    } catch (IllegalArgumentException noLibrary) {
      return none();
    }
  }

  /** Returns a library without functions, in place of one that is missing. */
  public static NativeLibrary none() {
    return new NativeLibrary(null);
  }

  /** Returns the loaded libtorch_cpu, which has libtorch's C interface. */
  public static NativeLibrary torch() {
    String name = System.mapLibraryName("torch_cpu");
    return open(name.endsWith(".dylib") ? "@rpath/" + name : name);
  }

  /** Returns the C library of this process. */
  public static NativeLibrary standard() {
    return new NativeLibrary(LINKER.defaultLookup());
  }

  /** Returns whether the native library exists. */
  public boolean present() {
    return symbols != null;
  }

  /** Returns whether the native library has {@code function}. */
  public boolean has(String function) {
    return symbols != null && symbols.find(function).isPresent();
  }

  /**
   * Returns this native library after checking that it has all of {@code functions}.
   *
   * @param name of the library, for the message
   * @throws UserException if one is missing
   */
  public NativeLibrary requiring(String name, List<String> functions) {
    for (String function : functions) {
      if (!has(function)) {
        throw new UserException(
            "%s has no function %s: another version is needed".formatted(name, function));
      }
    }
    return this;
  }

  /**
   * Returns {@code function} with these types, for direct calls.
   *
   * @throws IllegalStateException if it is missing
   */
  public MethodHandle function(String function, FunctionDescriptor type) {
    return LINKER.downcallHandle(
        Optional.ofNullable(symbols)
            .flatMap(all -> all.find(function))
            .orElseThrow(() -> new IllegalStateException("no function " + function)),
        type);
  }

  /** Returns a function of this type whose address is the first argument. */
  public static MethodHandle pointer(FunctionDescriptor type) {
    return LINKER.downcallHandle(type);
  }

  /** Calls {@code function} and returns its error code; {@link #MISSING} if it is missing. */
  public int code(String function, Object... arguments) {
    return linked.containsKey(function) || has(function)
        ? (int) call(ValueLayout.JAVA_INT, function, arguments)
        : MISSING;
  }

  /**
   * Calls {@code function} and returns its result.
   *
   * @param result type of the result
   * @throws IllegalStateException if it is missing
   */
  public Object call(MemoryLayout result, String function, Object... arguments) {
    return Objects.requireNonNull(invoke(result, function, arguments));
  }

  /** Calls the void function {@code function}. */
  public void run(String function, Object... arguments) {
    Object unused = invoke(null, function, arguments);
  }

  private @Nullable Object invoke(
      @Nullable MemoryLayout result, String function, Object... arguments) {
    MethodHandle handle =
        linked.computeIfAbsent(
            function,
            name ->
                function(name, type(result, arguments))
                    .asSpreader(Object[].class, arguments.length)
                    .asType(MethodType.methodType(Object.class, Object[].class)));
    return answer(() -> handle.invokeExact(arguments));
  }

  private static FunctionDescriptor type(@Nullable MemoryLayout result, Object... arguments) {
    MemoryLayout[] layouts =
        Stream.of(arguments).map(NativeLibrary::layout).toArray(MemoryLayout[]::new);
    return result == null
        ? FunctionDescriptor.ofVoid(layouts)
        : FunctionDescriptor.of(result, layouts);
  }

  private static MemoryLayout layout(Object argument) {
    return switch (argument) {
      case Integer number -> ValueLayout.JAVA_INT;
      case Long number -> ValueLayout.JAVA_LONG;
      case Boolean value -> ValueLayout.JAVA_BOOLEAN;
      default -> ValueLayout.ADDRESS;
    };
  }

  /** A call of a native function, which throws no exceptions. */
  @ConsumerType
  @FunctionalInterface
  public interface Call<T extends @Nullable Object> {
    /** Calls the native function. */
    T run() throws Throwable;
  }

  /** Returns the result of calling {@code function}. */
  public static <T extends @Nullable Object> T answer(Call<T> function) {
    try {
      return function.run();
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** Returns the zero-terminated text at {@code address}. */
  public static String text(MemorySegment address) {
    return address.reinterpret(Long.MAX_VALUE).getString(0);
  }
}
