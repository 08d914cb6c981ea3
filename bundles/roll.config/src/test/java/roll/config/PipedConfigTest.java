package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.config.tree.YamlReader;

/** Configurations that come from pipes, as a shell's {@code <(...)} gives them. */
@Tag("processes")
class PipedConfigTest {
  @TempDir Path folder = Path.of("");

  private Path pipe() throws IOException, InterruptedException {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    return pipe;
  }

  @Test
  void whatIsWrittenIsRead() throws Exception {
    Path pipe = pipe();
    Thread writer = Thread.ofPlatform().start(() -> write(pipe));
    assertEquals(Map.of("seed", 3), YamlReader.read(pipe).root());
    writer.join();
  }

  private static void write(Path pipe) {
    try {
      Files.writeString(pipe, "seed: 3\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aPipeThatNothingWritesToIsRefused() throws Exception {
    Path pipe = pipe();
    assertEquals(
        pipe + ": a pipe that was not written to its end in 10 s",
        userError(() -> YamlReader.read(pipe)));
  }
}
