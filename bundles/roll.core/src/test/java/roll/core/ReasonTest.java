package roll.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

/** What is said of a file that cannot be used. */
class ReasonTest {
  @Test
  void theSystemsWordsComeFirst() {
    assertEquals(
        "No space left on device",
        Reason.of(new FileSystemException("/x", null, "No space left on device")));
    assertEquals("NoSuchFileException", Reason.of(new NoSuchFileException("/x")));
    assertEquals("IOException", Reason.of(new IOException("broken")));
  }
}
