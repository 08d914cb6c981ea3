package roll.api.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Anything but a regular file is refused before it is read. */
@Tag("hostile")
@Timeout(60)
final class PlainFileTest {
  @TempDir Path folder;

  private static String refusal(Path file) {
    String message = assertThrows(UserException.class, () -> PlainFile.text(file)).getMessage();
    assertEquals(
        message, assertThrows(UserException.class, () -> PlainFile.bytes(file)).getMessage());
    return message;
  }

  @Test
  void pipesDevicesAndFoldersAreRefused() throws IOException, InterruptedException {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    assertEquals(pipe + ": is a named pipe or a device, expected a file", refusal(pipe));
    Path zeros = Files.createSymbolicLink(folder.resolve("zeros"), Path.of("/dev/zero"));
    assertEquals(zeros + ": is a named pipe or a device, expected a file", refusal(zeros));
    assertEquals(folder + ": is a folder, expected a file", refusal(folder));
  }

  @Test
  void largeFilesAreRefused() throws IOException {
    Path large = folder.resolve("large");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength((64L << 20) + 1);
    }
    assertEquals(large + ": is larger than the limit of 64 MB", refusal(large));
  }

  @Test
  void filesAreRead() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "é");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    assertEquals("é", PlainFile.text(link));
    Files.write(file, new byte[] {(byte) 0xff});
    assertThrows(MalformedInputException.class, () -> PlainFile.text(file));
    Path none = folder.resolve("none");
    assertEquals(none, PlainFile.require(none));
    assertThrows(NoSuchFileException.class, () -> PlainFile.text(none));
  }
}
