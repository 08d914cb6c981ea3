package roll.djl;

import ai.djl.engine.EngineException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The selected libtorch: the user's, that of the distribution in {@code native/torch}, or the one
 * for the CPU that comes with roll as a jar.
 *
 * @param build the build outside the bundles, or null for the jar
 * @param flavour DJL's flavor of its JNI library; null for the jar
 * @param line the selected build and why, for messages
 * @param passedOver why other builds were not selected, one line for each
 */
record LibtorchChoice(
    @Nullable LibtorchBuild build, @Nullable String flavour, String line, List<String> passedOver) {
  private static final String FOLDER = "PYTORCH_LIBRARY_PATH";
  private static final String VERSION = "PYTORCH_VERSION";
  private static final String FLAVOUR = "PYTORCH_FLAVOR";
  private static final String EXCLUDED = "PYTORCH_LIBRARY_EXCLUSION";

  /** JNA's search path for the CUDA runtime, from which DJL gets the number of cards. */
  private static final String JNA = "jna.library.path";

  /**
   * Selects a libtorch among the found ones.
   *
   * @throws EngineException with one line if the user's choice cannot be loaded
   */
  static LibtorchChoice of(LibtorchSources inputs) {
    String python = inputs.get(LibtorchSources.PYTHON);
    String folders = inputs.get(FOLDER);
    if (python != null) {
      Path folder = by(LibtorchSources.PYTHON, python, () -> torch(python));
      if (folders != null && !same(folder, folder(folders))) {
        throw new EngineException(
            "%s=%s and %s=%s name different ones: unset one of them"
                .formatted(LibtorchSources.PYTHON, python, FOLDER, folders));
      }
      return by(
          LibtorchSources.PYTHON, python, () -> named(folder, LibtorchSources.PYTHON, inputs));
    }
    if (folders != null) {
      return by(FOLDER, folders, () -> named(folder(folders), FOLDER, inputs));
    }
    Path own = inputs.natives().resolve("torch").resolve("lib");
    if (!Files.isDirectory(own)) {
      return embedded(inputs, List.of());
    }
    try {
      return named(own, "the distribution's own", inputs);
    } catch (EngineException misfit) {
      return embedded(inputs, List.of(misfit.getMessage() + " (not used)"));
    }
  }

  private static LibtorchChoice embedded(LibtorchSources inputs, List<String> passedOver) {
    String version = inputs.get(VERSION);
    if (version != null && !inputs.fitting().get().version().startsWith(version)) {
      throw new EngineException(
          "%s=%s: DJL would download that; only version %s fits: unset it"
              .formatted(VERSION, version, inputs.fitting().get().version()));
    }
    return new LibtorchChoice(null, null, "the one that comes with roll", passedOver);
  }

  private static LibtorchChoice named(Path folder, String by, LibtorchSources inputs) {
    LibtorchBuild build = LibtorchBuild.in(folder, inputs.get(VERSION));
    String flavour = new LibtorchCheck(inputs).flavour(build);
    for (Map.Entry<String, String> told :
        Map.of(VERSION, build.release(), FLAVOUR, flavour).entrySet()) {
      String value = inputs.get(told.getKey());
      if (value != null && !value.equals(told.getValue())) {
        throw new EngineException(
            "%s in %s: %s=%s says otherwise: unset it"
                .formatted(build.name(), build.folder(), told.getKey(), value));
      }
    }
    String cards =
        build.cuda().isEmpty()
            ? ""
            : inputs.hidesCards()
                ? ", its cards hidden by CUDA_VISIBLE_DEVICES"
                : inputs.driver().get().map(driver -> ", " + driver).orElse("");
    String line = "%s, in %s (%s)%s".formatted(build.name(), build.folder(), by, cards);
    return new LibtorchChoice(build, flavour, line, List.of());
  }

  /** Returns the folder of libraries in the Python environment {@code named}. */
  private static Path torch(String named) {
    Path path = Path.of(named);
    if (!Files.exists(path)) {
      throw new EngineException("there is no such folder or program");
    }
    PythonEnvironment environment = new PythonEnvironment(path);
    List<Path> found = environment.torches();
    if (found.size() == 1) {
      return found.getFirst().resolve("lib");
    }
    if (found.isEmpty()) {
      String places =
          environment.packages().stream().map(Path::toString).collect(Collectors.joining(", "));
      throw new EngineException(
          places.isEmpty()
              ? "it is neither a Python environment nor a Python in one"
              : "PyTorch is not installed in " + places);
    }
    throw new EngineException(
        "there are several: "
            + found.stream().map(Path::toString).collect(Collectors.joining(", "))
            + "; name the Python of one");
  }

  /**
   * Returns the first of {@code folders} with a libtorch, as DJL does; the first if there is none.
   */
  private static Path folder(String folders) {
    List<Path> paths = Stream.of(folders.split(File.pathSeparator)).map(Path::of).toList();
    return paths.stream()
        .map(
            path -> path.endsWith(LibtorchBuild.FILE) ? path.resolveSibling(".").normalize() : path)
        .filter(path -> Files.isRegularFile(path.resolve(LibtorchBuild.FILE)))
        .findFirst()
        .orElse(paths.getFirst());
  }

  private static boolean same(Path one, Path other) {
    try {
      return Files.isSameFile(one, other);
    } catch (IOException absent) {
      return false;
    }
  }

  private static <T> T by(String name, String value, Supplier<T> choice) {
    try {
      return choice.get();
    } catch (EngineException misfit) {
      throw new EngineException(name + "=" + value + ": " + misfit.getMessage(), misfit);
    }
  }

  /**
   * Returns the system properties that point DJL to it; empty for the jar. DJL must load only
   * libtorch from the folder, which finds its dependencies itself, since the folder may contain
   * other libraries.
   */
  Map<String, String> properties() {
    Map<String, String> properties = new LinkedHashMap<>();
    if (build != null && flavour != null) {
      properties.put(FOLDER, build.folder().toString());
      properties.put(VERSION, build.release());
      properties.put(FLAVOUR, flavour);
      if (LibtorchBuild.FILE.endsWith(".so")) {
        properties.put(EXCLUDED, others(build.folder()));
        runtime(build.folder()).ifPresent(folder -> properties.put(JNA, folder.toString()));
      }
    }
    return properties;
  }

  private static String others(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.matches(".*\\.so(\\.\\d+)*") && !name.startsWith("libc10"))
          .sorted()
          .distinct()
          .collect(Collectors.joining(","));
    } catch (IOException e) {
      throw new EngineException(folder + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static Optional<Path> runtime(Path folder) {
    try {
      Path library = folder.resolve("libc10_cuda.so");
      if (!Files.isRegularFile(library)) {
        return Optional.empty();
      }
      ElfFile file = ElfFile.read(library);
      return file.needed().stream()
          .filter(name -> name.startsWith("libcudart.so"))
          .flatMap(name -> LibtorchCheck.find(name, file, folder).stream())
          .map(Path::getParent)
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
