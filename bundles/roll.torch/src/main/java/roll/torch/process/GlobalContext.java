package roll.torch.process;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import roll.api.option.UserException;

/**
 * Switches of libtorch that hold for the whole process: {@code at::globalContext()} ({@code
 * ATen/Context.h}). It has no C interface, but its setters are exported methods of bytes, whose
 * names all compilers but Microsoft's write alike. For a library that is loaded.
 */
public final class GlobalContext {
  private static final String CONTEXT = "_ZN2at13globalContextEv";
  private static final String ALGORITHMS = "_ZN2at7Context26setDeterministicAlgorithmsEbb";
  private static final String FILL = "_ZN2at7Context39setDeterministicFillUninitializedMemoryEb";
  private static final String CUDNN = "_ZN2at7Context21setDeterministicCuDNNEb";
  private static final String GIVEN = "_ZNK2at7Context23deterministicAlgorithmsEv";

  private final SymbolLookup library;
  private final MemorySegment context;

  /**
   * That of the library in this process.
   *
   * @throws UserException if it does not export what is needed
   */
  @SuppressWarnings("restricted") // a library that is loaded is what this is about
  public GlobalContext() {
    String name = System.mapLibraryName("torch_cpu");
    String path = name.endsWith(".dylib") ? "@rpath/" + name : name;
    this.library = SymbolLookup.libraryLookup(path, Arena.global());
    this.context = (MemorySegment) call(CONTEXT, FunctionDescriptor.of(ValueLayout.ADDRESS));
  }

  /**
   * As {@code torch.use_deterministic_algorithms(given)}: an operation without a deterministic
   * algorithm throws. New tensors are not filled, for no kernel reads what it did not write.
   */
  public void setDeterministic(boolean given) {
    set(ALGORITHMS, given, false);
    set(FILL, !given);
    set(CUDNN, given);
  }

  /** Whether it is so. */
  public boolean deterministic() {
    return (boolean)
        call(GIVEN, FunctionDescriptor.of(ValueLayout.JAVA_BOOLEAN, ValueLayout.ADDRESS), context);
  }

  private void set(String method, boolean... values) {
    Object[] arguments = new Object[values.length + 1];
    ValueLayout[] layouts = new ValueLayout[arguments.length];
    arguments[0] = context;
    layouts[0] = ValueLayout.ADDRESS;
    for (int i = 0; i < values.length; i++) {
      arguments[i + 1] = values[i];
      layouts[i + 1] = ValueLayout.JAVA_BOOLEAN;
    }
    var unused = call(method, FunctionDescriptor.ofVoid(layouts), arguments);
  }

  @SuppressWarnings("restricted") // the same
  private Object call(String name, FunctionDescriptor type, Object... arguments) {
    Optional<MemorySegment> function = library.find(name);
    if (function.isEmpty()) {
      throw new UserException(
          "full_determinism: this build of libtorch does not let it be switched (it lacks "
              + name
              + ")");
    }
    try {
      return Linker.nativeLinker()
          .downcallHandle(function.get(), type)
          .invokeWithArguments(arguments);
    } catch (Throwable failure) {
      throw new IllegalStateException(name + " failed", failure);
    }
  }
}
