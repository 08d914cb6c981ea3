package roll.djl;

import ai.djl.engine.EngineException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A libtorch outside the bundles, with the metadata of the files beside it. None of its code is
 * loaded for that.
 *
 * @param folder folder of its libraries
 * @param version full version, such as {@code 2.7.1+cu128}
 * @param cuda CUDA version of the build, {@code 12} if the minor version is unknown, empty for the
 *     CPU
 */
record LibtorchBuild(Path folder, String version, String cuda) {
  /** The library's file name on this platform. */
  static final String FILE = System.mapLibraryName("torch");

  private static final List<String> ELSEWHERE =
      List.of("libtorch.so", "libtorch.dylib", "torch.dll");
  private static final Pattern VERSION = value("__version__");
  private static final Pattern CUDA = value("cuda");
  private static final Pattern OTHER = value("hip|xpu");
  private static final Pattern SUFFIX = Pattern.compile(".*\\+cu(\\d+)(\\d)");

  /**
   * Reads the build in {@code folder}, by Python's {@code version.py} beside the folder or the
   * {@code build-version} of a libtorch archive, otherwise by {@code told}.
   *
   * @throws EngineException with one line if it is no libtorch, or its version is unknown
   */
  static LibtorchBuild in(Path folder, @Nullable String told) {
    if (!Files.isRegularFile(folder.resolve(FILE))) {
      throw new EngineException(absent(folder));
    }
    Path above =
        Optional.ofNullable(folder.toAbsolutePath().normalize().getParent()).orElse(folder);
    Path python = above.resolve("version.py");
    Path archive = above.resolve("build-version");
    if (Files.isRegularFile(python)) {
      String text = text(python);
      String version =
          find(VERSION, text)
              .orElseThrow(() -> new EngineException(python + " names no __version__"));
      find(OTHER, text)
          .ifPresent(
              other -> {
                throw new EngineException(
                    "torch " + version + " in " + above + " is built for another accelerator");
              });
      return new LibtorchBuild(real(folder), version, find(CUDA, text).orElse(""));
    }
    String version = Files.isRegularFile(archive) ? text(archive).strip() : told;
    if (version == null || version.isEmpty()) {
      throw new EngineException(
          folder
              + " does not say its version: there is neither "
              + python
              + " nor "
              + archive
              + ", and PYTORCH_VERSION is not set");
    }
    return new LibtorchBuild(real(folder), version, cuda(folder, version));
  }

  private static String absent(Path folder) {
    if (!Files.isDirectory(folder)) {
      return "there is no folder " + folder;
    }
    for (String other : ELSEWHERE) {
      if (Files.exists(folder.resolve(other))) {
        return folder + " has " + other + ", a library of another platform, and no " + FILE;
      }
    }
    return "there is no " + FILE + " in " + folder;
  }

  /**
   * Returns the CUDA version by the version's suffix, or without one by the runtime that the
   * library needs.
   */
  private static String cuda(Path folder, String version) {
    Matcher suffix = SUFFIX.matcher(version);
    if (suffix.matches()) {
      return suffix.group(1) + "." + suffix.group(2);
    }
    Path library = folder.resolve("libtorch_cuda.so");
    if (!Files.exists(library)) {
      return "";
    }
    try {
      return ElfFile.read(library).needed().stream()
          .filter(name -> name.startsWith("libcudart.so."))
          .map(name -> name.substring("libcudart.so.".length()))
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      throw new EngineException(library + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Returns the libtorch release {@code 2.7.1} for the version {@code 2.7.1+cu128}. */
  String release() {
    return version.replaceAll("\\+.*", "");
  }

  /** Returns DJL's flavor of the build: {@code cpu}, {@code cu128}, {@code cu12}. */
  String flavour() {
    return cuda.isEmpty() ? "cpu" : "cu" + cuda.replace(".", "");
  }

  /** Returns a description of the libtorch for messages. */
  String name() {
    return "torch " + version + (cuda.isEmpty() ? " for the CPU" : " for CUDA " + cuda);
  }

  private static Pattern value(String names) {
    return Pattern.compile("(?m)^(?:" + names + ")\\s*(?::[^=\\n]*)?=\\s*['\"]([^'\"\\n]+)['\"]");
  }

  private static Optional<String> find(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    return found.find() ? Optional.of(found.group(1)) : Optional.empty();
  }

  private static String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new EngineException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the real folder of the libraries: the loader follows links, and finds dependencies
   * beside their targets.
   */
  private static Path real(Path folder) {
    try {
      Path file = folder.resolve(FILE).toRealPath();
      return Optional.ofNullable(file.getParent()).orElse(folder);
    } catch (IOException e) {
      throw new EngineException(folder.resolve(FILE) + " cannot be read: " + e.getMessage(), e);
    }
  }
}
