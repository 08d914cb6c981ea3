package roll.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import roll.testkit.JavaProcess;

/** Stalled uploads write no line to the log; the listener runs in its own process. */
@Tag("hostile")
class QuietUploadsTest {
  @Test
  void uploadsThatAreBrokenOffAreNotLogged() throws IOException, InterruptedException {
    Process process =
        JavaProcess.of(StalledUploads.class, List.of()).redirectErrorStream(true).start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals("", said);
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      assertEquals(0, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
  }
}
