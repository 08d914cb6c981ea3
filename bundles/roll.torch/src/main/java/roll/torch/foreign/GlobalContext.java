package roll.torch.foreign;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import roll.api.option.UserException;

/**
 * libtorch's process-wide switches: {@code at::globalContext()} ({@code ATen/Context.h}). It has no
 * C interface, but its setters are exported under mangled names that are the same for all compilers
 * but Microsoft's. libtorch must be loaded.
 */
public final class GlobalContext {
  private static final String CONTEXT = "_ZN2at13globalContextEv";
  private static final String ALGORITHMS = "_ZN2at7Context26setDeterministicAlgorithmsEbb";
  private static final String FILL = "_ZN2at7Context39setDeterministicFillUninitializedMemoryEb";
  private static final String CUDNN = "_ZN2at7Context21setDeterministicCuDNNEb";
  private static final String GIVEN = "_ZNK2at7Context23deterministicAlgorithmsEv";

  private final NativeLibrary library = NativeLibrary.torch();
  private final MemorySegment context;

  /**
   * Finds the context of the library in this process.
   *
   * @throws UserException if it does not export the setters
   */
  public GlobalContext() {
    for (String name : List.of(CONTEXT, ALGORITHMS, FILL, CUDNN, GIVEN)) {
      if (!library.has(name)) {
        throw new UserException(
            "full_determinism: this build of libtorch cannot switch to deterministic algorithms (it"
                + " lacks "
                + name
                + ")");
      }
    }
    this.context = (MemorySegment) library.call(ValueLayout.ADDRESS, CONTEXT);
  }

  /**
   * Does the same as {@code torch.use_deterministic_algorithms(given)}: an operation without a
   * deterministic algorithm throws. New tensors are not filled, since no kernel reads uninitialized
   * memory.
   */
  public void setDeterministic(boolean given) {
    library.run(ALGORITHMS, context, given, false);
    library.run(FILL, context, !given);
    library.run(CUDNN, context, given);
  }

  /** Returns whether deterministic algorithms are on. */
  public boolean deterministic() {
    return (boolean) library.call(ValueLayout.JAVA_BOOLEAN, GIVEN, context);
  }
}
