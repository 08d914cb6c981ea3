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
 * A C library that this machine may have or lack. Each of its functions is linked when it is called
 * first, with the types of these arguments: an Integer is an int, a Long a long or size_t, a
 * Boolean a bool, a {@link MemorySegment} an address.
 */
@SuppressWarnings("restricted") // libraries of the system are what this is about
public final class NativeLibrary {
  /** What {@link #code} gives for a function that is not there. */
  public static final int MISSING = -1;

  private static final Linker LINKER = Linker.nativeLinker();

  private final @Nullable SymbolLookup symbols;
  private final Map<String, MethodHandle> linked = new ConcurrentHashMap<>();

  private NativeLibrary(@Nullable SymbolLookup symbols) {
    this.symbols = symbols;
  }

  /**
   * The library of this name or path, which stays as long as the process; one without functions
   * where there is none.
   */
  public static NativeLibrary open(String name) {
    try {
      return new NativeLibrary(SymbolLookup.libraryLookup(name, Arena.global()));
    } catch (IllegalArgumentException noLibrary) {
      return new NativeLibrary(null);
    }
  }

  /** The part of libtorch that computes on the CPU and has its C interface, as it is loaded. */
  public static NativeLibrary torch() {
    String name = System.mapLibraryName("torch_cpu");
    return open(name.endsWith(".dylib") ? "@rpath/" + name : name);
  }

  /** The C library of this process. */
  public static NativeLibrary standard() {
    return new NativeLibrary(LINKER.defaultLookup());
  }

  /** Whether there is one. */
  public boolean present() {
    return symbols != null;
  }

  /** Whether it has {@code function}. */
  public boolean has(String function) {
    return symbols != null && symbols.find(function).isPresent();
  }

  /**
   * This library, which has all of {@code functions}.
   *
   * @param name how the message calls it
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
   * {@code function} with these types, for those who call it themselves.
   *
   * @throws IllegalStateException if it is not there
   */
  public MethodHandle function(String function, FunctionDescriptor type) {
    return LINKER.downcallHandle(
        Optional.ofNullable(symbols)
            .flatMap(all -> all.find(function))
            .orElseThrow(() -> new IllegalStateException("no function " + function)),
        type);
  }

  /** A function of this type whose address is given as the first argument. */
  public static MethodHandle pointer(FunctionDescriptor type) {
    return LINKER.downcallHandle(type);
  }

  /** What {@code function} answers, an error code; {@link #MISSING} where it is not there. */
  public int code(String function, Object... arguments) {
    return linked.containsKey(function) || has(function)
        ? (int) call(ValueLayout.JAVA_INT, function, arguments)
        : MISSING;
  }

  /**
   * What {@code function} answers.
   *
   * @param result its type
   * @throws IllegalStateException if it is not there
   */
  public Object call(MemoryLayout result, String function, Object... arguments) {
    return Objects.requireNonNull(invoke(result, function, arguments));
  }

  /** Calls {@code function}, which answers nothing. */
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

  /** A call of a function, which throws nothing of its own. */
  @ConsumerType
  @FunctionalInterface
  public interface Call<T extends @Nullable Object> {
    /** Calls it. */
    T run() throws Throwable;
  }

  /** The answer of {@code function}. */
  public static <T extends @Nullable Object> T answer(Call<T> function) {
    try {
      return function.run();
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** The text at {@code address}, up to its 0. */
  public static String text(MemorySegment address) {
    return address.reinterpret(Long.MAX_VALUE).getString(0);
  }
}
