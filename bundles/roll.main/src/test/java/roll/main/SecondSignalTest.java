package roll.main;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A second signal ends a process at once, without exit handlers such as libtorch's. */
@Tag("processes")
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class SecondSignalTest {
  private static final int STATUS_OF_HANDLER = 7;

  @Test
  void noExitHandlerRuns() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Computing.class.getName())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
      assertEquals("computing", said.readLine());
      terminate(process);
      assertEquals("", said.readLine());
      String line = said.readLine();
      assertTrue(line.endsWith("(again: stop immediately)"), line);
      terminate(process);
      assertEquals(List.of(), said.lines().toList());
      assertEquals(130, process.waitFor());
    } finally {
      process.destroyForcibly();
    }
  }

  private static void terminate(Process process) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-TERM", "" + process.pid()).start().waitFor();
  }

  /** A process that ignores interrupts; its exit handler ends it with another status. */
  static final class Computing {
    private Computing() {}

    @SuppressWarnings("restricted")
    public static void main(String[] arguments) throws Throwable {
      Linker linker = Linker.nativeLinker();
      SymbolLookup libc = linker.defaultLookup();
      int registered =
          (int)
              linker
                  .downcallHandle(
                      libc.findOrThrow("__cxa_atexit"),
                      FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS))
                  .invokeExact(
                      libc.findOrThrow("_exit"),
                      MemorySegment.ofAddress(STATUS_OF_HANDLER),
                      MemorySegment.NULL);
      assertEquals(0, registered);
      PrintStream errors = System.err;
      try (SignalWatch _ = SignalWatch.of(List.of("TERM"), Thread.currentThread(), errors)) {
        System.out.println("computing");
        while (true) {
          Thread.onSpinWait();
        }
      }
    }
  }
}
