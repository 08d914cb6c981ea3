package roll.config.tree;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import roll.api.option.UserException;
import roll.text.Suggestion;

/** Reads the text of a configuration from a file or a pipe. */
final class ConfigText {
  private ConfigText() {}

  /**
   * Returns the text of {@code file}.
   *
   * @throws UserException if it cannot be read, is too large or not UTF-8
   */
  static String read(Path file) {
    try {
      byte[] bytes = Files.isRegularFile(file) ? bytes(file) : piped(file);
      if (bytes.length > ConfigSizeLimits.FILE) {
        throw new UserException(file + ": larger than " + ConfigSizeLimits.FILE + " bytes");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new UserException(file + ": not UTF-8 text", e);
    } catch (IOException e) {
      throw new UserException(file + ": " + why(file), e);
    }
  }

  private static byte[] bytes(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(ConfigSizeLimits.FILE + 1);
    }
  }

  /** Reads a pipe or a device; opening a pipe without a writer blocks forever. */
  private static byte[] piped(Path file) throws IOException {
    FutureTask<byte[]> read = new FutureTask<>(() -> bytes(file));
    Thread.ofPlatform().daemon().name("roll-config-pipe").start(read);
    try {
      return read.get(ConfigSizeLimits.PIPE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new UserException(
          file
              + ": a pipe that was not written to its end in "
              + ConfigSizeLimits.PIPE.toSeconds()
              + " s",
          e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(file.toString());
    }
  }

  /**
   * Returns the reason why a file cannot be read; of a run's folder the configuration file to name
   * instead.
   */
  private static String why(Path file) {
    if (!Files.isDirectory(file)) {
      return Files.exists(file) ? "cannot be read" : "no such file" + Suggestion.beside(file);
    }
    Path config = file.resolve("config.yaml");
    return "is a folder, expected a YAML file" + (Files.exists(config) ? ": write " + config : "");
  }
}
