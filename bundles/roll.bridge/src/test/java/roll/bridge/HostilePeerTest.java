package roll.bridge;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs that hang, write garbage, flood or take too much: one line says what they did. */
@Tag("hostile")
@Timeout(120)
class HostilePeerTest {
  private static final String GREETS =
      """
      import json, os, sys, time
      print(json.dumps({'id': json.loads(input())['id']}), flush=True)
      asked = json.loads(input())
      """;

  @AutoClose private final PeerPools pools = new PeerPools(Duration.ofMinutes(1));

  private String lost(PeerSpec spec) {
    try (PeerSession session = pools.open(spec)) {
      PeerException e =
          assertThrows(PeerException.class, () -> session.ask(TestPeers.request("play")));
      assertFalse(session.alive());
      assertFalse(e.refused());
      String message = String.valueOf(e.getMessage());
      assertEquals(1, message.lines().count(), message);
      return message;
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "time.sleep(600)|has not answered for 4.0 s",
        "os.kill(os.getpid(), 11)|was killed by signal 11",
        "sys.exit(3)|ended with status 3",
        "os.close(1); time.sleep(600)|closed its output",
        "print('hello', flush=True); time.sleep(600)|wrote an invalid answer (a JSON object with"
            + " the id of a request, or an array of them): hello",
        "print('[{}]', flush=True); time.sleep(600)|wrote an invalid answer (a JSON object with the"
            + " id of a request, or an array of them): [{}]",
        "print('[' * 100000, flush=True); time.sleep(600)|wrote an invalid answer",
        "print(json.dumps({'id': 99}), flush=True); time.sleep(600)|answered an unknown request: id"
            + " 99",
        "[sys.stdout.write('x' * (1 << 20)) for _ in range(80)]|wrote a line of more than 32 MiB",
        "[sys.stderr.write('x\\n"
            + "' * 100) for _ in range(1000)]; sys.exit(2)|ended with status 2; its last words: x",
      })
  void itEndsWithOneLine(String does, String said) {
    boolean hangs = said.startsWith("has not answered");
    String message = lost(hangs ? TestPeers.spec(GREETS + does) : TestPeers.slow(GREETS + does));
    assertTrue(message.startsWith("test.py " + said), message);
  }

  @Test
  void oneThatTakesNothingIsEnded() {
    PeerSpec spec =
        TestPeers.spec(GREETS.replace("asked = json.loads(input())", "time.sleep(600)"));
    try (PeerSession session = pools.open(spec)) {
      var request = TestPeers.request("play");
      request.addProperty("long", "x".repeat(1 << 20)); // more than a pipe holds
      PeerException e = assertThrows(PeerException.class, () -> session.ask(request));
      assertEquals("test.py has not answered for 4.0 s", e.getMessage());
    }
  }

  @Test
  void aRefusalCostsOneRequest() {
    PeerSpec spec =
        TestPeers.spec(
            """
            import json, sys
            for line in sys.stdin:
                asked = json.loads(line)
                print(json.dumps({'id': asked['id'], 'error': 'no\\nlake' if asked['op'] == 'no' else None}), flush=True)
            """);
    try (PeerSession session = pools.open(spec)) {
      PeerException e =
          assertThrows(PeerException.class, () -> session.ask(TestPeers.request("no")));
      assertEquals("test.py: no lake", e.getMessage());
      assertTrue(e.refused());
      assertTrue(session.ask(TestPeers.request("yes")).get("error").isJsonNull());
    }
  }

  @Test
  void limitsHold() {
    ProgramLimits limits =
        new ProgramLimits(
            Optional.of(256L << 20), Optional.of(1), Optional.of(16), Optional.of(1L << 20));
    String memory = GREETS + "bytearray(1 << 30)";
    String message = lost(TestPeers.spec(TestPeers.place(memory, limits), 1));
    assertEquals("test.py ended with status 1; its last words: MemoryError", message);
    String files = GREETS + "[os.open('/dev/null', 0) for _ in range(20)]";
    message = lost(TestPeers.spec(TestPeers.place(files, limits), 1));
    assertTrue(message.contains("Too many open files"), message);
    message = lost(TestPeers.spec(TestPeers.place(GREETS + "while True: pass", limits), 1));
    assertTrue(message.contains("killed by signal") || message.contains("not answered"), message);
  }

  /** Neither its session nor its parents tell whose the second process is. */
  @Test
  void whatLeavesItsSessionEndsToo(@TempDir Path folder) throws Exception {
    Path number = folder.resolve("number");
    lost(
        TestPeers.slow(
            GREETS
                + """
                if os.fork() == 0:
                    os.setsid()
                    if os.fork() == 0:
                        [os.close(d) for d in range(3)]
                        open('%1$s.new', 'w').write(str(os.getpid()))
                        os.rename('%1$s.new', '%1$s')
                        time.sleep(600)
                    os._exit(0)
                os.wait()
                while not os.path.exists('%1$s'):
                    time.sleep(0.01)
                sys.exit(3)
                """
                    .formatted(number)));
    String process = Files.readString(number);
    pools.close();
    await().atMost(Duration.ofMinutes(1)).until(() -> !runs(process));
  }

  private static boolean runs(String process) {
    try {
      return !Files.readString(Path.of("/proc", process, "stat")).contains(") Z");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aProgramThatIsNotThere() {
    PeerSpec spec =
        TestPeers.spec(
            new ProgramCommand(
                "nothing", List.of("/nowhere/nothing"), null, Map.of(), ProgramLimits.NONE),
            1);
    PeerException e = assertThrows(PeerException.class, () -> pools.open(spec));
    assertTrue(String.valueOf(e.getMessage()).startsWith("nothing "), e.getMessage());
  }
}
