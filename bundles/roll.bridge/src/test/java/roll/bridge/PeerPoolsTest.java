package roll.bridge;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real processes: shared, killed, started anew, ended. */
@Tag("processes")
@Timeout(60)
class PeerPoolsTest {
  @AutoClose private final PeerPools pools = new PeerPools(Duration.ofMinutes(1));

  private static long pid(JsonObject answer) {
    return answer.get("pid").getAsLong();
  }

  /** Whether it runs; one that has ended, and that no session has asked how, is still listed. */
  private static boolean runs(long pid) throws IOException {
    Path stat = Path.of("/proc/" + pid + "/stat");
    try {
      return Files.exists(stat)
          ? !Files.readString(stat).contains(") Z ")
          : ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) { // it ended while it was read
      if (String.valueOf(e.getMessage()).contains("No such process")) {
        return false;
      }
      throw e;
    }
  }

  private static void waitForEnd(long pid) throws Exception {
    await().atMost(Duration.ofMinutes(1)).until(() -> !runs(pid));
  }

  @Test
  void sessionsAreSpreadOverTheProcesses() {
    PeerSpec spec = TestPeers.spec(TestPeers.place(TestPeers.ECHO, ProgramLimits.NONE), 3);
    Set<Long> pids = new HashSet<>();
    List<PeerSession> sessions = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      sessions.add(pools.open(spec));
      pids.add(pid(sessions.getLast().ask(TestPeers.request("who"))));
    }
    assertEquals(3, pids.size());
    assertEquals(6, sessions.stream().map(PeerSession::name).distinct().count());
    sessions.forEach(PeerSession::close);
  }

  @Test
  void whatIsDueAtOnceGoesOutTogether() throws Exception {
    PeerSpec spec = TestPeers.spec(TestPeers.ECHO);
    int most = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<JsonObject>> answers = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        String op = "op " + i;
        answers.add(
            threads.submit(
                () -> {
                  try (PeerSession session = pools.open(spec)) {
                    return session.ask(TestPeers.request(op));
                  }
                }));
      }
      for (int i = 0; i < answers.size(); i++) {
        JsonObject answer = answers.get(i).get();
        assertEquals("op " + i, answer.get("op").getAsString());
        most = Math.max(most, answer.get("together").getAsInt());
      }
    }
    assertTrue(most > 1, "each went alone");
  }

  @Test
  void aKilledProcessCostsItsSessionsOnly() throws Exception {
    PeerSpec spec = TestPeers.spec(TestPeers.place(TestPeers.ECHO, ProgramLimits.NONE), 2);
    try (PeerSession one = pools.open(spec);
        PeerSession other = pools.open(spec)) {
      long killed = pid(one.ask(TestPeers.request("who")));
      assertEquals(0, new ProcessBuilder("kill", "-9", "" + killed).start().waitFor());
      waitForEnd(killed);
      PeerException lost =
          assertThrows(PeerException.class, () -> one.ask(TestPeers.request("who")));
      assertTrue(String.valueOf(lost.getMessage()).startsWith("test.py was killed by signal 9"));
      assertFalse(one.alive());
      assertNotEquals(killed, pid(other.ask(TestPeers.request("who"))));
      long next = 0;
      try (PeerSession third = pools.open(spec)) { // both have one, so the first place is taken
        next = pid(third.ask(TestPeers.request("who")));
      }
      assertTrue(runs(next));
      assertNotEquals(killed, next);
    }
  }

  @Test
  void oneThatAlwaysEndsIsGivenUp() {
    PeerSpec spec =
        TestPeers.spec(
            """
            import json, sys
            print(json.dumps({'id': json.loads(input())['id']}), flush=True)
            input()
            sys.exit('there is no lake')
            """);
    for (int i = 0; i < 2; i++) {
      try (PeerSession session = pools.open(spec)) {
        PeerException ended =
            assertThrows(PeerException.class, () -> session.ask(TestPeers.request("play")));
        assertEquals(
            "test.py ended with status 1; its last words: there is no lake", ended.getMessage());
      }
    }
    String enough = userError(() -> pools.open(spec));
    assertEquals(
        "test.py was started 2 times, and ended each time before anything was finished; at last:"
            + " test.py ended with status 1; its last words: there is no lake",
        enough);
    JsonObject _ = pools.greeting(spec); // asked anew, it is tried anew
  }

  @Test
  void nothingIsLeftBehind() throws Exception {
    PeerSpec spec =
        TestPeers.spec(
            """
            import json, subprocess, sys
            # one child, and one whose parent has ended
            child = subprocess.Popen(['sleep', '600'])
            orphan = int(subprocess.check_output(['sh', '-c', 'sleep 600 >/dev/null 2>&1 & echo $!']))
            for line in sys.stdin:
                print(json.dumps({'id': json.loads(line)['id'], 'child': child.pid, 'orphan': orphan}), flush=True)
            """);
    JsonObject started = pools.greeting(spec);
    long child = started.get("child").getAsLong();
    long orphan = started.get("orphan").getAsLong();
    assertTrue(runs(child) && runs(orphan));
    pools.close();
    waitForEnd(child);
    waitForEnd(orphan);
    assertThrows(PeerException.class, () -> pools.open(spec));
  }

  @Test
  void whatNobodyUsesEndsAfterAWhile() throws Exception {
    try (PeerPools shortly = new PeerPools(Duration.ofMillis(50))) {
      PeerSpec spec = TestPeers.spec(TestPeers.ECHO);
      long first = pid(shortly.greeting(spec));
      waitForEnd(first);
      assertEquals(0, shortly.size());
      assertNotEquals(first, pid(shortly.greeting(spec)));
    }
  }
}
