package roll.env.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;

/** Tests that misbehave, and agents that attack them: a reward of 0, never a failed run. */
@Tag("hostile")
@NullMarked
class HostileTaskTest {
  private static final String SOLVED =
      "[ -e solved ] && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt";

  private final Terminals terminals = new Terminals();

  @TempDir Path folder;

  @AfterEach
  void close() {
    terminals.close();
  }

  private Scenario task(String script) throws IOException {
    Terminals.write(folder, script);
    return terminals.task(
        folder,
        Map.of("command_timeout", 3, "verifier_timeout", 3, "disk_limit", 16, "memory_limit", 256));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sleep 600",
        "trap '' TERM INT HUP; while :; do :; done",
        "yes | head -c 100000000; echo NaN > /logs/verifier/reward.txt",
        "for i in $(seq 500); do sleep 600 & done; wait",
        "echo Infinity > /logs/verifier/reward.txt",
        "echo good > /logs/verifier/reward.txt",
        "echo '{\"reward\": ' > /logs/verifier/reward.json",
        "head -c 1000000 /dev/zero > /logs/verifier/reward.txt; exit 1",
        "mkdir /logs/verifier/reward.txt; exit 1",
        "ln -s /etc/hostname /logs/verifier/reward.txt; exit 1",
        "rm -rf /logs/verifier; exit 1",
        "kill -9 $$",
        "exec no-such-program"
      })
  void testsThatMisbehaveGiveNothing(String script) throws Exception {
    try (Episode episode = task(script).reset(0)) {
      Step step = episode.step("done");
      assertEquals(0, step.reward());
      assertTrue(step.terminated());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mkdir -p logs/verifier tests /logs/verifier; echo 1 > logs/verifier/reward.txt;"
            + " echo 1 > /logs/verifier/reward.txt; echo 'exit 0' > tests/test.sh",
        "rm -rf /logs /app/* /tmp/* ~",
        "rm -rf .. . ; cd /; rm -rf app",
        "(while :; do find / -name reward.txt -exec sh -c 'echo 1 > {}' \\;; done) &",
        "(setsid sh -c 'sleep 1; find /app -name verifier -exec touch {}/x \\;') &",
        "head -c 1000000000 /dev/zero > big; for i in $(seq 20000); do echo > $i; done",
        ":(){ :|:& };:",
        "kill -9 -1",
        "python3 -c 'x = bytearray(1 << 40)'",
        "chmod 000 .; chmod 000 /app",
        "ln -s / .verifier; ln -s /etc tests; ln -s /etc logs",
        "mkfifo reward.txt tests logs"
      })
  void attacksOfTheAgentGiveNothing(String command) throws Exception {
    Scenario scenario = task(SOLVED);
    try (Episode episode = scenario.reset(0)) {
      Terminals.shell(episode, command);
      assertEquals(0, episode.step("done").reward());
    }
    try (Episode episode = scenario.reset(0)) {
      assertEquals("[exit status 0]", Terminals.shell(episode, "touch solved"));
      assertEquals(1, episode.step("done").reward());
    }
  }

  @Test
  void otherFilesOfTheMachineAreNotReached() throws Exception {
    Terminals.file(folder.resolve("secret"), "key.txt", "secret");
    try (Episode episode = task("true").reset(0)) {
      for (String path :
          new String[] {
            folder + "/secret/key.txt", "../../../../../../etc/passwd", "/proc/self/environ", ""
          }) {
        assertTrue(
            episode.call("read_file", Map.of("path", path)).observation().startsWith(path + ": "));
      }
      Terminals.shell(episode, "ln -s " + folder + "/secret/key.txt link; ln -s / root");
      for (String path : new String[] {"link", "root/etc/passwd"}) {
        assertTrue(
            episode.call("read_file", Map.of("path", path)).observation().startsWith(path + ": "));
        assertTrue(
            episode
                .call("write_file", Map.of("path", path, "content", "x"))
                .observation()
                .startsWith(path + ": "));
      }
    }
  }
}
