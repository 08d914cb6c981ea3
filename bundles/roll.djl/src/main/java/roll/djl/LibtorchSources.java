package roll.djl;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of the selection of a libtorch.
 *
 * @param variables values of environment variables by name, null if not set
 * @param natives folder of the distribution's libraries
 * @param fitting the loadable builds; evaluated only if there is a choice
 * @param driver NVIDIA's driver; evaluated only for a libtorch for CUDA
 */
record LibtorchSources(
    Function<String, @Nullable String> variables,
    Path natives,
    Supplier<LibtorchCompatibility> fitting,
    Supplier<Optional<InstalledDriver>> driver) {
  /** Environment variable of a Python environment with PyTorch, or a Python executable in it. */
  static final String PYTHON = "ROLL_PYTHON";

  /** The same as a system property. */
  static final String PYTHON_PROPERTY = "roll.python";

  /**
   * Returns the inputs of this process.
   *
   * @param loader class loader of the jar with DJL's JNI library
   */
  static LibtorchSources ofThisProcess(Supplier<ClassLoader> loader) {
    return new LibtorchSources(
        LibtorchSources::variable,
        Path.of(System.getProperty(NativeJars.FOLDER, "native")),
        () -> LibtorchCompatibility.of(loader.get(), NativeJars.platform()),
        InstalledDriver::ofThisMachine);
  }

  /** Returns a variable as DJL does: from the environment, then from system properties. */
  private static @Nullable String variable(String name) {
    String value = System.getenv(name);
    return value != null ? value : System.getProperty(name.equals(PYTHON) ? PYTHON_PROPERTY : name);
  }

  /** Returns a value, null if it is not set or empty. */
  @Nullable String get(String name) {
    String value = variables.apply(name);
    return value == null || value.isBlank() ? null : value.strip();
  }

  /** Returns whether the user hides all cards, to compute on the CPU. */
  boolean hidesCards() {
    String visible = variables.apply("CUDA_VISIBLE_DEVICES");
    return visible != null && List.of("", "-1").contains(visible.strip());
  }
}
