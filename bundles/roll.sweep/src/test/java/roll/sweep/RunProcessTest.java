package roll.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.sweep.SweptRun.State;

/** Processes that are small programs of the shell. */
@Tag("processes")
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class RunProcessTest {
  @TempDir Path folder;

  @Test
  void theStatusSaysWhatHasBecomeOfIt() throws Exception {
    assertEquals(new RunProcess.End(State.FINISHED, null), end("exit 0"));
    assertEquals(new RunProcess.End(State.STOPPED, null), end("exit 130"));
    assertEquals(new RunProcess.End(State.FAILED, "ended with status 3"), end("exit 3"));
    assertEquals(
        new RunProcess.End(State.FAILED, "killed by signal 15, as kill does"), end("kill $$"));
    assertTrue(
        String.valueOf(end("kill -9 $$").problem()).startsWith("killed by signal 9, as a sy"));
  }

  /**
   * The last one that it said itself; what former runs have said in the same file does not count.
   */
  @Test
  void itsOwnLineIsWhyItFailed() throws Exception {
    assertEquals("no disk", end("echo roll: first; echo 'roll: no disk'; echo; exit 2").problem());
    assertEquals("ended with status 2", end("exit 2").problem());
    assertEquals("roll: first\nroll: no disk\n\n", Files.readString(folder.resolve("said.log")));
  }

  @Test
  void theEndOfItsInputAsksItToStop() throws Exception {
    RunProcess process = start("read line; exit 130", Map.of());
    process.stop();
    assertEquals(State.STOPPED, process.await().state());
    process.stop(); // it has ended
  }

  @Test
  void itHasVariablesOfItsOwn() throws Exception {
    RunProcess process = start("echo \"roll: $CARD\"; exit 1", Map.of("CARD", "2"));
    assertEquals("2", process.await().problem());
  }

  /** But for what is this process's alone. */
  @Test
  void aRunHasTheOptionsOfThisProcess() throws IOException {
    Path jar = Files.createFile(folder.resolve("roll.jar"));
    List<String> options = List.of("-Xmx2g", "-Droll.tmp.dir=/t/1", "-Djava.io.tmpdir=/t/1");
    assertEquals(
        List.of(
            "java",
            "-Xmx2g",
            "-Djava.io.tmpdir=/t/1",
            "-Djna.tmpdir=/t/1",
            "-Droll.attended=true",
            "-jar",
            jar.toString()),
        RunLaunch.of(Path.of("java"), options, jar.toString(), "/t/1").command());
    String message = userError(RunLaunch::own);
    // tests have many jars
    assertTrue(message.startsWith("sweep: runs are processes started from roll.jar"), message);
  }

  private RunProcess.End end(String program) throws Exception {
    return start(program, Map.of()).await();
  }

  private RunProcess start(String program, Map<String, String> environment) throws IOException {
    RunLaunch shell = new RunLaunch(List.of("sh", "-c"));
    return RunProcess.start(shell, List.of(program), environment, folder.resolve("said.log"));
  }
}
