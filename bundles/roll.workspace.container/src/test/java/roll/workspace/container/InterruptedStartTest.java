package roll.workspace.container;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An engine that has not begun, as while it pulls an image. */
@Tag("processes")
@Timeout(60)
class InterruptedStartTest {
  @Test
  void nothingIsLeft(@TempDir Path folder) throws Exception {
    Path program = folder.resolve("engine");
    Path calls = folder.resolve("calls");
    Files.writeString(
        program,
        "#!/bin/sh\necho $$ \"$1\" \"$2\" \"$3\" >> %s\n[ \"$1\" = rm ] || exec sleep 1000\n"
            .formatted(calls));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    Thread caller = Thread.currentThread();
    Thread.ofVirtual()
        .start(
            () -> {
              await().until(() -> Files.exists(calls));
              caller.interrupt();
            });
    assertThrows(
        InterruptedException.class,
        () -> Container.start(new Engine(program), "roll-a", List.of(), "image", ""));
    List<String> made = Files.readAllLines(calls);
    assertEquals(2, made.size());
    assertEquals("rm --force roll-a", made.getLast().split(" ", 2)[1]);
    long run = Long.parseLong(made.getFirst().split(" ", 2)[0]);
    ProcessHandle.of(run).ifPresent(p -> p.onExit().orTimeout(10, TimeUnit.SECONDS).join());
  }
}
