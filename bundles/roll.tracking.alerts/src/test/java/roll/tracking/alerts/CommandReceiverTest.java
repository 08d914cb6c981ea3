package roll.tracking.alerts;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Alerts for programs. */
@Tag("processes")
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class CommandReceiverTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir Path folder;
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

  private Alert alert() {
    return new Alert("lake", folder, "lost", "a < 1.0", 3, 0.5, "lake: it's $HOME; \"lost\"");
  }

  private void deliver(Duration limit, String... command) {
    try (Deliveries deliveries = new Deliveries(limit, lines::add)) {
      deliveries.start(new CommandReceiver(List.of(command)), alert());
    }
  }

  @Test
  void aProgramGetsTheAlert() throws Exception {
    Path said = folder.resolve("said");
    String script =
        "printf '%s\\n' \"$0\" \"$ROLL_ALERT\" \"$ROLL_ALERT_TEXT\" >\"$1\"; cat >>\"$1\"";
    deliver(LIMIT, "/bin/sh", "-c", script, "$(id) a  b", said.toString());
    assertEquals(
        List.of("$(id) a  b", "lost", alert().text(), alert().json()), Files.readAllLines(said));
    assertEquals(List.of(), lines);
  }

  @Test
  void aProgramThatFailsIsMissingOrReadsNothing() {
    String begin = "alert 'lost' was not delivered to ";
    deliver(LIMIT, "/bin/sh", "-c", "exec <&-; exit 3");
    deliver(LIMIT, "/bin/true");
    deliver(LIMIT, "/no/such/program");
    assertEquals(begin + "/bin/sh: it ended with status 3", lines.getFirst());
    assertEquals(2, lines.size(), lines::toString);
    assertTrue(lines.getLast().startsWith(begin + "/no/such/program: "), lines::toString);
  }

  @Test
  void aProgramThatHangsIsKilledWithItsChildren() throws Exception {
    Path child = folder.resolve("child");
    deliver(
        Duration.ofSeconds(2),
        "/bin/sh",
        "-c",
        "setsid sleep 3600 & echo $! >\"$0\"; wait",
        child.toString());
    assertEquals(
        List.of("alert 'lost' was not delivered to /bin/sh: it did not end within 2.0 s"), lines);
    long pid = Long.parseLong(Files.readString(child).strip());
    await()
        .untilAsserted(
            () -> assertFalse(ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent()));
  }
}
