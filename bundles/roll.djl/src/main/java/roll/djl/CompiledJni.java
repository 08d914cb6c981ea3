package roll.djl;

import ai.djl.engine.EngineException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * DJL's JNI library, compiled by {@code build-jni} for one libtorch and stored beside it. DJL
 * prefers it to those of its own jar, so that other versions of libtorch can be loaded.
 *
 * @param file the library
 * @param version of the libtorch it was compiled for, such as {@code 2.11.0+cu130}
 */
record CompiledJni(Path file, String version) {
  /**
   * Returns the library beside {@code build}, if there is one.
   *
   * @param djl version of DJL, part of the file name
   * @throws EngineException with one line if it was compiled for another libtorch
   */
  static Optional<CompiledJni> beside(LibtorchBuild build, String djl) {
    Path file = build.folder().resolve(djl + "-" + System.mapLibraryName("djl_torch"));
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    CompiledJni found = new CompiledJni(file, version(Path.of(file + ".torch")));
    if (!found.version().equals(build.version())) {
      throw new EngineException(
          "%s in %s: %s was compiled for torch %s; run build-jni again"
              .formatted(
                  build.name(),
                  build.folder(),
                  file.getFileName(),
                  found.version().isEmpty() ? "of an unknown version" : found.version()));
    }
    return Optional.of(found);
  }

  private static String version(Path stamp) {
    try {
      return Files.isRegularFile(stamp)
          ? Files.readString(stamp, StandardCharsets.UTF_8).strip()
          : "";
    } catch (IOException e) {
      throw new EngineException(stamp + " cannot be read: " + e.getMessage(), e);
    }
  }
}
