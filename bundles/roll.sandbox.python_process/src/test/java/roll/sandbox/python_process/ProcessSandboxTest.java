package roll.sandbox.python_process;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.option.UserException;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;
import roll.api.sandbox.Isolation;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;
import roll.testkit.SandboxContract;

/** Benign programs with the installed python3. */
@Tag("processes")
@Timeout(120)
class ProcessSandboxTest extends SandboxContract {
  private static final Path PYTHON = Path.of("/usr/bin/python3");

  @AutoClose
  private final ProcessSandbox sandbox = new ProcessSandbox(new LaunchCommand(PYTHON, List.of()));

  @Override
  protected Sandbox sandbox() {
    return sandbox;
  }

  @BeforeEach
  void onlyWithPython() {
    assumeTrue(Files.isExecutable(PYTHON), "skipped: no /usr/bin/python3");
  }

  @Test
  void thereIsNoInput() throws Exception {
    try (SandboxSession session = sandbox.open(limits(60))) {
      assertEquals("EOFError: EOF when reading a line", session.run("input()").error());
      assertEquals("SystemExit: 3", session.run("raise SystemExit(3)").error());
    }
  }

  @Test
  void charactersAreCodePoints() throws Exception {
    try (SandboxSession session = sandbox.open(limits(60))) {
      assertEquals(done("😀".repeat(99) + "\n"), session.run("print('😀' * 99)"));
      assertEquals(
          done("\n".repeat(100) + "\n… (cut after 100 characters)"),
          session.run("for _ in range(10**5): print()"));
    }
  }

  @Test
  void killedProcessesAreReplaced() throws Exception {
    try (SandboxSession session = sandbox.open(limits(4))) {
      assertEquals(Outcome.MEMORY, session.run("'a' * 10**10").outcome());
      assertEquals(Outcome.TIMEOUT, session.run("10 ** 10 ** 8").outcome());
      assertEquals(
          failed("SystemExit: the interpreter ended"), session.run("import os\nos._exit(0)"));
      assertEquals(done("2\n"), session.run("1 + 1"));
    }
  }

  /** A memory limit counts bytes, not objects. */
  @Test
  void bytesAreCounted() throws Exception {
    try (SandboxSession session = sandbox.open(limits(60))) {
      assertEquals(Outcome.MEMORY, session.run("b = bytearray(300 << 20)").outcome());
      assertEquals(done("104857600\n"), session.run("b = bytearray(100 << 20)\nlen(b)"));
    }
  }

  @Test
  void printingWorksWithoutStandardOutput() throws Exception {
    try (SandboxSession session = sandbox.open(limits(60))) {
      assertEquals(done("3\n"), session.run("import sys\nsys.stdout = sys.stderr = None\n3"));
      assertEquals(done("4\n"), session.run("print(4)"));
    }
  }

  /** The order of a set is the same in every run. */
  @Test
  void setsHaveOneOrder() throws Exception {
    List<Execution> executions = new ArrayList<>();
    for (int server = 0; server < 2; server++) {
      ProcessSandbox another = new ProcessSandbox(new LaunchCommand(PYTHON, List.of()));
      try (SandboxSession session = another.open(limits(60))) {
        executions.add(session.run("''.join({'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'})"));
      } finally {
        another.close();
      }
    }
    assertEquals(executions.get(0), executions.get(1));
  }

  @Test
  void nativeModulesAreThere() throws Exception {
    String modules =
        "asyncio, unittest, subprocess, sqlite3, ssl, ctypes, hashlib, multiprocessing, uuid";
    try (SandboxSession session = sandbox.open(limits(60))) {
      assertEquals(done("2cf24\n"), session.run("import " + modules + "\n" + HASH));
      assertEquals(done("5\n"), session.run("async def f(): return 5\nasyncio.run(f())"));
    }
  }

  private static final String HASH = "print(hashlib.sha256(b'hello').hexdigest()[:5])";

  /** Closing the sandbox ends its processes and deletes its folder. */
  @Test
  void closingEndsWhatRuns() throws Exception {
    try (SandboxSession session = sandbox.open(limits(60))) {
      List<ProcessHandle> processes = ProcessHandle.current().descendants().toList();
      assertFalse(processes.isEmpty());
      FutureTask<Execution> endless = new FutureTask<>(() -> session.run("while True: pass"));
      Thread.ofPlatform().daemon().start(endless);
      Thread.sleep(200);
      sandbox.close();
      assertEquals("SystemExit: the interpreter ended", endless.get().error());
      for (ProcessHandle process : processes) {
        process.onExit().get();
      }
    }
  }

  @Test
  void programsWaitForOneAnother() throws Exception {
    int many = 12 * Runtime.getRuntime().availableProcessors();
    List<FutureTask<Execution>> all = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      FutureTask<Execution> one =
          new FutureTask<>(
              () -> {
                try (SandboxSession session = sandbox.open(limits(60))) {
                  return session.run("sum(range(10000))");
                }
              });
      Thread.ofVirtual().start(one);
      all.add(one);
    }
    for (FutureTask<Execution> one : all) {
      assertEquals(done("49995000\n"), one.get());
    }
  }

  @Test
  void withoutPythonItSaysSo() {
    UserException refused = refused(new LaunchCommand(Path.of("/no/python3"), List.of()));
    assertEquals(
        "the sandbox 'python_process' needs /no/python3, which is missing; set"
            + " -Droll.sandbox.python_process.python, or use 'sandbox: python', which runs"
            + " programs in this process",
        refused.getMessage());
  }

  @Test
  void aLauncherComesBeforeIt() throws Exception {
    ProcessSandbox launched =
        new ProcessSandbox(new LaunchCommand(PYTHON, List.of("/usr/bin/env", "LAUNCHED={folder}")));
    try (SandboxSession session = launched.open(limits(60))) {
      String folder = session.run("import os\nprint(os.environ['LAUNCHED'])").output().strip();
      assertTrue(Files.isDirectory(Path.of(folder)), folder);
      launched.close();
      assertTrue(Files.notExists(Path.of(folder)), folder);
    }
    assertEquals(
        "the sandbox 'python_process' did not start: /usr/bin/env: ‘no-such-runtime’: No such file"
            + " or directory",
        refused(new LaunchCommand(PYTHON, List.of("/usr/bin/env", "no-such-runtime")))
            .getMessage());
  }

  @Test
  void theIsolationIsReported() {
    assertEquals(
        "python_process: no isolation: programs reach files, network and processes",
        sandbox.boundaries(Isolation.NONE));
    assertTrue(
        sandbox
            .boundaries(Isolation.REQUIRED)
            .startsWith("python_process: programs reach no files, network or processes of this"),
        sandbox.boundaries(Isolation.REQUIRED));
  }

  /** Landlock and seccomp suffice, as in most containers. */
  @Test
  void landlockAndSeccompAreEnough() throws Exception {
    ProcessSandbox lacking = without("272");
    String line = lacking.boundaries(Isolation.REQUIRED);
    assertTrue(line.contains("no files, network or processes of this machine"), line);
    assertTrue(line.endsWith("; missing: namespaces (Function not implemented))"), line);
    try (SandboxSession session = lacking.open(limits(60))) {
      assertTrue(session.run("open('/etc/passwd')").error().startsWith("PermissionError"));
      assertTrue(session.run("open('/proc/1/environ')").error().startsWith("PermissionError"));
      assertEquals(done("2\n"), session.run("import decimal, sqlite3\n1 + 1"));
    } finally {
      lacking.close();
    }
  }

  @Test
  void lessThanAskedForIsRefused() throws Exception {
    ProcessSandbox lacking = without("272,444");
    String refused = userError(() -> lacking.open(limits(60)));
    assertEquals(
        "the sandbox 'python_process' cannot isolate programs from files here; this machine lacks"
            + " namespaces (Function not implemented), Landlock (Function not implemented);"
            + " 'isolation: best_effort' uses the available means, 'sandbox: python' runs programs"
            + " in this process",
        refused);
    String line = lacking.boundaries(Isolation.BEST_EFFORT);
    assertTrue(line.startsWith("python_process: programs REACH files of this machine ("), line);
    SandboxLimits effort =
        new SandboxLimits(Duration.ofSeconds(60), 256L << 20, 100, Isolation.BEST_EFFORT);
    try (SandboxSession session = lacking.open(effort)) {
      assertEquals(done(""), session.run("import os\nos.stat('/etc/passwd') and None"));
      assertTrue(session.run("os.fork()").error().startsWith("PermissionError"));
    } finally {
      lacking.close();
    }
  }

  /** A process that forges its end is suspended, so that it does not compute beside others. */
  @ParameterizedTest
  @EnumSource(Isolation.class)
  void oneThatForgesItsEndIsStopped(Isolation isolation) throws Exception {
    SandboxLimits limits = new SandboxLimits(Duration.ofSeconds(60), 256L << 20, 100, isolation);
    try (SandboxSession session = sandbox.open(limits)) {
      assertEquals(
          done(""),
          session.run(
              """
              import sys
              frame = sys._getframe()
              while 'nonce' not in frame.f_locals:
                  frame = frame.f_back
              known = frame.f_locals
              known['channel'].sendall(b'E %s DONE 0\\n' % known['nonce'])
              while True:
                  pass
              """));
      await().atMost(Duration.ofMinutes(1)).until(() -> states().anyMatch("T"::equals));
    }
    await().atMost(Duration.ofMinutes(1)).until(() -> states().noneMatch("T"::equals));
  }

  /** Returns the Linux states of the child processes: R running, S sleeping, T stopped. */
  private static Stream<String> states() {
    return ProcessHandle.current()
        .descendants()
        .flatMap(
            process -> {
              try {
                String all = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
                return Stream.of(all.substring(all.lastIndexOf(')') + 2).substring(0, 1));
              } catch (IOException e) {
                return Stream.empty(); // it has ended
              }
            });
  }

  private static ProcessSandbox without(String calls) {
    assumeTrue(System.getProperty("os.arch").equals("amd64"), "skipped: calls of x86_64");
    String script = Path.of("src/test/resources/without.py").toAbsolutePath().toString();
    return new ProcessSandbox(new LaunchCommand(PYTHON, List.of(PYTHON.toString(), script, calls)));
  }

  private static UserException refused(LaunchCommand launch) {
    return assertThrows(UserException.class, () -> new ProcessSandbox(launch).open(limits(1)));
  }

  private static Execution failed(String error) {
    return new Execution(Outcome.FAILED, "", error);
  }
}
