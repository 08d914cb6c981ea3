package roll.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.pipeline.RunFailure;

/** Exit statuses and messages, with Gogo's own command processor. */
@Tag("processes")
@Timeout(20)
class CommandLineTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ByteArrayOutputStream complained = new ByteArrayOutputStream();
  private final CommandProcessorImpl processor = new CommandProcessorImpl();

  @BeforeEach
  void addCommands() {
    for (String name : List.of("greet", "wrong", "broken", "seven", "wait")) {
      processor.addCommand("roll", new Commands(), name);
    }
  }

  @AfterEach
  void stop() {
    processor.stop();
  }

  @Test
  void passesArgumentsAsTheyAre() {
    assertEquals(0, run("greet", "a=b", "$x {y} 'z'"));
    assertEquals("hello [a=b, $x {y} 'z']", printed());
  }

  /** Commands that would continue in the background refuse to by this. */
  @Test
  void aCommandSeesThatItIsTheOnlyOne() {
    processor.addCommand(
        "roll", (Function) (session, arguments) -> session.get("roll.once"), "once");
    assertEquals(0, run("once"));
    assertEquals("true", printed());
  }

  @Test
  void acceptsTheScope() {
    assertEquals(0, run("roll:greet"));
  }

  @Test
  void optionsThatAreCommands() {
    assertEquals(127, run("--version")); // there is no such command, and the message names it
    assertTrue(complained().startsWith("roll: unknown command 'version'"), complained());
    processor.addCommand("roll", (Function) (session, arguments) -> "roll 1.2.3", "version");
    assertEquals(0, run("--version"));
    assertEquals("roll 1.2.3", printed());
  }

  @Test
  void aMistakeOfTheUserIsOneLineAndStatusTwo() {
    assertEquals(2, run("wrong"));
    assertEquals("roll: config.yaml: key 'stpes' is unknown", complained());
  }

  @Test
  void wrongArgumentsAreAMistakeOfTheUser() {
    assertEquals(2, run("seven", "surplus"));
    assertEquals("roll: invalid arguments for 'seven'; see `roll help seven`", complained());
  }

  @Test
  void anErrorOfOursIsOneLineStatusOneAndAStackTraceInAFile(@TempDir Path folder)
      throws IOException {
    System.setProperty("roll.log.dir", folder.toString());
    try {
      assertEquals(1, run("broken"));
    } finally {
      System.clearProperty("roll.log.dir");
    }
    Path log = folder.resolve("error.log");
    assertEquals(
        "roll: java.lang.IllegalStateException: no such tensor; stack trace in " + log,
        complained());
    assertTrue(Files.readString(log).contains("CommandLineTest$Commands.broken"));
  }

  @Test
  void aCommandMaySetItsStatus() {
    assertEquals(7, run("seven"));
  }

  @Test
  void anUnknownCommandSuggestsTheNearest() {
    assertEquals(127, run("gret"));
    assertEquals("roll: unknown command 'gret'; did you mean 'greet'?", complained());
  }

  @Test
  void commandsOfOtherScopesAreCalledWithTheirScope() {
    processor.addCommand("other", new Commands(), "greet");
    processor.addCommand("gogo", "text", "length");
    assertEquals(127, run("length"));
    assertEquals(0, run("gogo:length"));
    assertEquals(0, run("other:greet"));
    assertTrue(printed().endsWith("hello []"), printed());
  }

  @Test
  void anUnknownCommandListsWhatIsKnown() {
    assertEquals(127, run("xyzzy"));
    assertTrue(complained().endsWith("known: broken, greet, seven, wait, wrong"), complained());
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void theFirstSignalInterruptsAndTheCommandEndsInOrder() {
    assertEquals(130, run("wait"));
    assertEquals("saved", printed());
    assertTrue(complained().contains("stopping at the next safe point"));
    assertFalse(complained().contains("stack trace"));
  }

  /** Else only a second signal would end it. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aCommandThatOnlyComputesIsEndedByTheFirstSignal() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Endless.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(130, process.waitFor(), said);
    assertTrue(said.contains("the command does not respond: stopped"), said);
  }

  /** A process that gets SIGTERM and computes on. */
  static final class Endless {
    private Endless() {}

    public static void main(String[] arguments) throws IOException {
      var watch = SignalWatch.ending(List.of("TERM"), Thread.currentThread(), System.err, 1);
      try (watch) {
        new ProcessBuilder("kill", "-TERM", Long.toString(ProcessHandle.current().pid())).start();
        for (long n = 0; n >= 0; n++) {
          Thread.onSpinWait();
        }
      }
    }
  }

  @Test
  void aRunThatFailedIsOneLineAndStatusOne() {
    processor.addCommand(
        "roll",
        (Function)
            (session, arguments) -> {
              throw new CompletionException(new RunFailure("output folder out\nwas removed"));
            },
        "fail");
    assertEquals(1, run("fail"));
    assertEquals("roll: output folder out\\u000awas removed", complained());
  }

  @Test
  void whatTheMachineLacksIsOneLineAndStatusTwo() {
    for (Throwable lack :
        List.of(
            new OutOfMemoryError("Java heap space"),
            new OutOfMemoryError("unable to create native thread: possibly out of memory"),
            new java.nio.file.FileSystemException("a/b", null, "No space left on device"),
            new java.io.IOException("a/b: Too many open files"),
            new IllegalStateException("DefaultCPUAllocator: can't allocate memory: you tried"))) {
      CommandFailure failure = CommandFailure.of(new CompletionException("why", lack));
      assertEquals(2, failure.status(), failure.line());
      assertEquals(1, failure.line().lines().count(), failure.line());
      assertFalse(failure.line().contains("Exception"), failure.line());
    }
  }

  private int run(String... words) {
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(complained, true, StandardCharsets.UTF_8);
    return new CommandLine(processor, InputStream.nullInputStream(), out, err).run(List.of(words));
  }

  private String printed() {
    return printed.toString(StandardCharsets.UTF_8).strip();
  }

  private String complained() {
    return complained.toString(StandardCharsets.UTF_8).strip();
  }

  /** Commands that end in every way there is. */
  public static final class Commands {
    public String greet(String... arguments) {
      return "hello " + List.of(arguments);
    }

    public void wrong() {
      fail(new CompletionException(new UserException("config.yaml: key 'stpes' is unknown")));
    }

    public void broken() {
      fail(new IllegalStateException("no such tensor"));
    }

    private static void fail(RuntimeException error) {
      throw error;
    }

    public void seven(CommandSession session) {
      session.put("exit", 7);
    }

    /** Sends this process SIGTERM, as a cluster's scheduler does, and waits for the interrupt. */
    public void wait(CommandSession session) throws IOException {
      new ProcessBuilder("kill", "-TERM", Long.toString(ProcessHandle.current().pid())).start();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        session.getConsole().println("saved");
      }
    }
  }
}
