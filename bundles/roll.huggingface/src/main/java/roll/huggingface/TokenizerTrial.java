package roll.huggingface;

import ai.djl.huggingface.tokenizers.jni.LibUtils;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import ai.djl.util.Platform;
import ai.djl.util.Utils;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Tries a tokenizer in a separate process, since the native library aborts its process on
 * unexpected input. The process needs two classes and the library, and starts in a tenth of a
 * second.
 */
final class TokenizerTrial {
  private static final long SECONDS = 60;
  private static final List<Class<?>> CLASSES =
      List.of(TrialProcess.class, TokenizersLibrary.class);

  private TokenizerTrial() {}

  /**
   * Returns if the tokenizer does not abort the process.
   *
   * @param json of a tokenizer with {@code tokens} tokens
   * @throws IOException with one line if it aborts or takes too long
   */
  static void run(String json, int tokens) throws IOException {
    LibUtils.checkStatus();
    Path folder = Files.createTempDirectory("tokenizer");
    try {
      for (Class<?> type : CLASSES) {
        copy(type, folder);
      }
      Path said = folder.resolve("said");
      Process process = start(folder, tokens, said);
      try {
        await(process, json, said);
      } finally {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      Utils.deleteQuietly(folder);
    }
  }

  private static void copy(Class<?> type, Path folder) throws IOException {
    Path file = folder.resolve(type.getName().replace('.', '/') + ".class");
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    try (InputStream bytes =
        Objects.requireNonNull(type.getResourceAsStream(type.getSimpleName() + ".class"))) {
      Files.copy(bytes, file);
    }
  }

  private static Process start(Path folder, int tokens, Path said) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=" + folder.resolve("crash"),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            folder.toString(),
            TrialProcess.class.getName(),
            library().toString(),
            String.valueOf(tokens))
        .redirectErrorStream(true)
        .redirectOutput(said.toFile())
        .start();
  }

  /** Returns the path to which DJL has unpacked the library. */
  private static Path library() {
    Platform platform = platform();
    return Utils.getEngineCacheDir("tokenizers")
        .resolve(platform.getVersion() + "-cpu-" + platform.getClassifier())
        .resolve(System.mapLibraryName("tokenizers"));
  }

  /** DJL looks for its library with the context class loader, which may be any bundle's. */
  private static Platform platform() {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(LibUtils.class.getClassLoader());
    try {
      return Platform.detectPlatform("tokenizers");
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static void await(Process process, String json, Path said)
      throws IOException, InterruptedException {
    try (OutputStream in = process.getOutputStream()) {
      in.write(json.getBytes(StandardCharsets.UTF_8));
    } catch (IOException gone) {
      // the process has ended early: its output has the reason
    }
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("using it takes more than " + SECONDS + " s");
    }
    if (process.exitValue() != 0) {
      throw new IOException(reason(Files.readAllLines(said, StandardCharsets.ISO_8859_1)));
    }
  }

  /**
   * Returns the reason: of a Rust panic the line after its location, of an exception its own line.
   */
  private static String reason(List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.contains(" panicked at ") && i + 1 < lines.size()) {
        return "it aborts the native library: " + lines.get(i + 1);
      }
      if (line.startsWith("Exception in thread")) {
        return line.replaceFirst("^[^:]*: ", "");
      }
    }
    return "it aborts the native library: " + (lines.isEmpty() ? "" : lines.getFirst());
  }
}
