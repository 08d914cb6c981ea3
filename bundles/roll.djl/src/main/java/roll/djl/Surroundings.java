package roll.djl;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What decides which libtorch is loaded.
 *
 * @param variables a value by the name of its environment variable, null where it is not set
 * @param natives the folder of the distribution's own libraries
 * @param fitting what can be loaded; asked only if there is a choice
 * @param driver NVIDIA's driver; asked only if a libtorch for CUDA is to be loaded
 */
record Surroundings(
    Function<String, @Nullable String> variables,
    Path natives,
    Supplier<Fitting> fitting,
    Supplier<Optional<InstalledDriver>> driver) {
  /** Environment variable with a Python environment, or a Python in it, that has PyTorch. */
  static final String PYTHON = "ROLL_PYTHON";

  /** The same as a system property. */
  static final String PYTHON_PROPERTY = "roll.python";

  /**
   * Those of this process.
   *
   * @param loader has the jar with DJL's JNI library
   */
  static Surroundings ofThisProcess(Supplier<ClassLoader> loader) {
    return new Surroundings(
        Surroundings::variable,
        Path.of(System.getProperty(Natives.FOLDER, "native")),
        () -> Fitting.of(loader.get(), Natives.platform()),
        InstalledDriver::ofThisMachine);
  }

  /** As DJL reads them: the environment, then system properties. */
  private static @Nullable String variable(String name) {
    String value = System.getenv(name);
    return value != null ? value : System.getProperty(name.equals(PYTHON) ? PYTHON_PROPERTY : name);
  }

  /** A value, null where it is not set or empty. */
  @Nullable String get(String name) {
    String value = variables.apply(name);
    return value == null || value.isBlank() ? null : value.strip();
  }

  /** Whether the user wants no card to be seen, which is a way to compute on the CPU. */
  boolean hidesCards() {
    String visible = variables.apply("CUDA_VISIBLE_DEVICES");
    return visible != null && List.of("", "-1").contains(visible.strip());
  }
}
