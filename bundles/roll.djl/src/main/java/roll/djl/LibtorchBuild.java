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
 * A libtorch outside the bundles, and what the files beside it say of it. Nothing of it is loaded
 * to find that out.
 *
 * @param folder its libraries
 * @param version as its makers write it, such as {@code 2.7.1+cu128}
 * @param cuda the version it was built for, {@code 12} where no more is known, empty for the CPU
 */
record LibtorchBuild(Path folder, String version, String cuda) {
  /** What the library is called on this platform. */
  static final String FILE = System.mapLibraryName("torch");

  private static final List<String> ELSEWHERE =
      List.of("libtorch.so", "libtorch.dylib", "torch.dll");
  private static final Pattern VERSION = value("__version__");
  private static final Pattern CUDA = value("cuda");
  private static final Pattern OTHER = value("hip|xpu");
  private static final Pattern SUFFIX = Pattern.compile(".*\\+cu(\\d+)(\\d)");

  /**
   * That in {@code folder}, by Python's {@code version.py} beside the folder or the {@code
   * build-version} of an archive of libtorch; by {@code told} where neither is there.
   *
   * @throws EngineException with one line if it is none, or cannot be told
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

  /** By the version's suffix; by the runtime that the library needs where it has none. */
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

  /** {@code 2.7.1} of {@code 2.7.1+cu128}. */
  String release() {
    return version.replaceAll("\\+.*", "");
  }

  /** What it was built for in DJL's words: {@code cpu}, {@code cu128}, {@code cu12}. */
  String flavour() {
    return cuda.isEmpty() ? "cpu" : "cu" + cuda.replace(".", "");
  }

  /** For people. */
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

  /** Where the libraries really are: the loader follows links, and looks for others beside them. */
  private static Path real(Path folder) {
    try {
      Path file = folder.resolve(FILE).toRealPath();
      return Optional.ofNullable(file.getParent()).orElse(folder);
    } catch (IOException e) {
      throw new EngineException(folder.resolve(FILE) + " cannot be read: " + e.getMessage(), e);
    }
  }
}
