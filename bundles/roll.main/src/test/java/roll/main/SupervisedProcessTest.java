package roll.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.service.command.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Processes that another one looks after. */
@Tag("processes")
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class SupervisedProcessTest {
  /** The terminal's Ctrl-C goes to it too, and changes nothing. */
  @Test
  void itSavesWhenItsInputEnds() throws Exception {
    Process process = start();
    try (var said = process.inputReader(StandardCharsets.UTF_8)) {
      assertEquals("waiting", said.readLine());
      for (String signal : List.of("-INT", "-HUP")) {
        new ProcessBuilder("kill", signal, "" + process.pid()).start().waitFor();
      }
      process.getOutputStream().close();
      List<String> rest = said.lines().toList();
      assertTrue(rest.contains("saved"), rest::toString);
      assertEquals(1, rest.stream().filter(line -> line.contains("safe point")).count());
      assertEquals(130, process.waitFor(), rest::toString);
    }
  }

  /** The end of its input and a signal of whoever ends both are one request, not two. */
  @Test
  void aSignalAfterTheEndOfItsInputIsTheFirst() throws Exception {
    Process process = start();
    try (var said = process.inputReader(StandardCharsets.UTF_8)) {
      assertEquals("waiting", said.readLine());
      process.getOutputStream().close();
      new ProcessBuilder("kill", "-TERM", "" + process.pid()).start().waitFor();
      List<String> rest = said.lines().toList();
      assertTrue(rest.contains("saved"), rest::toString);
      assertEquals(130, process.waitFor(), rest::toString);
    }
  }

  private static Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Droll.attended=true",
            "-cp",
            System.getProperty("java.class.path"),
            Patient.class.getName())
        .redirectErrorStream(true)
        .start();
  }

  /** A command that waits and takes a while to save. */
  static final class Patient {
    private Patient() {}

    public static void main(String[] arguments) {
      CommandProcessorImpl processor = new CommandProcessorImpl();
      processor.addCommand("roll", (Function) (session, given) -> patience(), "wait");
      int status =
          new CommandLine(processor, System.in, System.out, System.err).run(List.of("wait"));
      Runtime.getRuntime().halt(status);
    }

    private static String patience() throws InterruptedException {
      System.out.println("waiting");
      try {
        Thread.sleep(60_000);
        return "nobody came";
      } catch (InterruptedException e) {
        Thread.sleep(500);
        System.out.println("saved");
        return "";
      }
    }
  }
}
