package roll.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs of one's own: what they say, that they end, and what those do that may not be. */
@Tag("processes")
@Timeout(120)
class PeerConnectionTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String ECHO =
      """
      import os, sys
      for line in sys.stdin:
          print(os.getpid() if line == 'who\\n' else line.strip(), flush=True)
      """;

  @AutoClose private final PeerConnections dialogues = new PeerConnections();

  private PeerConnection begin(String source) {
    return dialogues.open(TestPeers.place(source, ProgramLimits.NONE));
  }

  private static long pid(PeerConnection begun) {
    begun.tell("who", PATIENCE);
    return Long.parseLong(begun.next(PATIENCE));
  }

  @Test
  void eachHasAProgramOfItsOwn() {
    try (PeerConnection one = begin(ECHO);
        PeerConnection other = begin(ECHO)) {
      assertTrue(pid(one) != pid(other));
      assertEquals(Optional.empty(), one.heard());
      one.tell("漢字", PATIENCE);
      assertEquals("漢字", one.next(PATIENCE));
    }
  }

  @Test
  void theProgramEndsWithIt() {
    PeerConnection begun = begin(ECHO);
    ProcessHandle program = ProcessHandle.of(pid(begun)).orElseThrow();
    begun.close();
    program.onExit().join();
    PeerConnection stubborn =
        begin("import os, time; print(os.getpid(), flush=True); time.sleep(600)");
    program = ProcessHandle.of(Long.parseLong(stubborn.next(PATIENCE))).orElseThrow();
    stubborn.close();
    program.onExit().join();
    PeerConnection left = begin(ECHO);
    program = ProcessHandle.of(pid(left)).orElseThrow();
    dialogues.close();
    program.onExit().join();
    assertFalse(program.isAlive());
    PeerException e = assertThrows(PeerException.class, () -> begin(ECHO));
    assertEquals("test.py is no longer used", e.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "time.sleep(600)|has not answered for 1.5 s",
        "sys.exit('I am ill')|ended with status 1; its last words: I am ill",
        "print('x' * (33 << 20), flush=True)|wrote a line of more than 32 MiB",
      })
  void itEndsWithOneLine(String does, String said) {
    try (PeerConnection begun = begin("import sys, time\ninput()\n" + does)) {
      begun.tell("go", PATIENCE);
      Duration patience = does.startsWith("time") ? Duration.ofMillis(1500) : PATIENCE;
      PeerException e = assertThrows(PeerException.class, () -> begun.next(patience));
      assertEquals("test.py " + said, e.getMessage());
    }
  }

  @Test
  void oneThatTalksWithoutAnEndIsEnded() {
    String floods = "import os\nprint(os.getpid(), flush=True)\nwhile True: print('x' * (1 << 20))";
    try (PeerConnection begun = begin(floods)) {
      ProcessHandle program = ProcessHandle.of(Long.parseLong(begun.next(PATIENCE))).orElseThrow();
      program.onExit().join(); // its output is not read
      PeerException e = assertThrows(PeerException.class, () -> readAll(begun));
      assertEquals("test.py sent more text than the limit of unread text", e.getMessage());
    }
  }

  private static void readAll(PeerConnection begun) {
    while (true) {
      assertEquals(1 << 20, begun.next(PATIENCE).length());
    }
  }

  @Test
  void oneThatTakesNothingIsEnded() {
    try (PeerConnection begun = begin("import time; time.sleep(600)")) {
      begun.tell("x".repeat(1 << 20), Duration.ofMillis(500)); // more than a pipe holds
      PeerException e = assertThrows(PeerException.class, () -> begun.next(PATIENCE));
      assertEquals("test.py has taken nothing for 0.5 s", e.getMessage());
    }
  }

  /** A program of a program has the same input, and takes nothing from it either. */
  @Test
  void oneWhoseProgramTakesNothingIsEnded() throws Exception {
    try (PeerConnection begun = begin("import subprocess; subprocess.run(['sleep', '600'])");
        ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor()) {
      String text = "x".repeat(1 << 20);
      Future<?> told = thread.submit(() -> begun.tell(text, Duration.ofMillis(500)));
      told.get(30, TimeUnit.SECONDS);
      PeerException e = assertThrows(PeerException.class, () -> begun.next(PATIENCE));
      assertEquals("test.py has taken nothing for 0.5 s", e.getMessage());
    }
  }

  /** Whoever writes to it holds the lock of the stream that is closed. */
  @Test
  void oneThatTakesNothingIsClosed() throws Exception {
    String full =
        """
        import os, select, time
        print(os.getpid(), flush=True)
        select.select([0], [], [])
        print('full', flush=True)
        time.sleep(600)
        """;
    PeerConnection begun = begin(full);
    ProcessHandle program = ProcessHandle.of(Long.parseLong(begun.next(PATIENCE))).orElseThrow();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> told = threads.submit(() -> begun.tell("x".repeat(1 << 20), PATIENCE));
      assertEquals("full", begun.next(PATIENCE));
      threads.submit(begun::close).get(20, TimeUnit.SECONDS);
      program.onExit().get(20, TimeUnit.SECONDS);
      told.get(20, TimeUnit.SECONDS);
    }
  }
}
