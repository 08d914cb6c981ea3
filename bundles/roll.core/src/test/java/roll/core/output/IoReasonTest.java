package roll.core.output;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

/** Messages about files that cannot be used. */
class IoReasonTest {
  @Test
  void theSystemsWordsComeFirst() {
    assertEquals(
        "No space left on device",
        IoReason.of(new FileSystemException("/x", null, "No space left on device")));
    assertEquals("NoSuchFileException", IoReason.of(new NoSuchFileException("/x")));
    assertEquals("IOException", IoReason.of(new IOException("broken")));
  }
}
