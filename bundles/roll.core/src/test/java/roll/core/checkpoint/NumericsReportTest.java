package roll.core.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.strategy.NumericsInfo;
import roll.api.strategy.NumericsInfo.Change;
import roll.core.output.RunLog;

/** Messages about differences in the conditions for equal bits. */
class NumericsReportTest {
  private static final Path CHECKPOINT = Path.of("output", "run", "checkpoint-48");

  @Test
  void aLineOfEachRoleThatWasComputedOtherwise() {
    Map<String, NumericsInfo> roles = new LinkedHashMap<>();
    roles.put(
        "actor_train",
        new NumericsInfo(
            "a Xeon, 2 threads",
            List.of(new Change("an EPYC", "a Xeon"), new Change("8 threads", "2 threads"))));
    roles.put("critic", new NumericsInfo("a Xeon, 2 threads", List.of()));
    assertEquals(
        List.of(
            "actor_train: checkpoint-48 was computed with an EPYC, 8 threads; here with a Xeon,"
                + " 2 threads: the run continues, its last bits will differ"),
        new NumericsReport(roles).changes(CHECKPOINT));
  }

  @Test
  void whatAFileSaysStaysOnOneLine() {
    NumericsInfo hostile =
        new NumericsInfo("here", List.of(new Change("a\nb\u001b[2J" + "x".repeat(5000), "here")));
    String line = new NumericsReport(Map.of("critic", hostile)).changes(CHECKPOINT).getFirst();
    assertEquals(0, line.chars().filter(Character::isISOControl).count());
    assertEquals(true, line.length() < 1200 && line.contains("with a b [2Jxxx"), line);
  }

  @Test
  void theLogHasEveryRole(@TempDir Path folder) throws IOException {
    NumericsInfo here = new NumericsInfo("a Xeon,\n2 threads", List.of());
    try (RunLog log = new RunLog(folder)) {
      new NumericsReport(Map.of("critic", here)).record(log);
    }
    List<String> lines = Files.readAllLines(folder.resolve(RunLog.NAME));
    assertEquals(1, lines.size());
    assertEquals("critic computes with a Xeon, 2 threads", lines.getFirst().split(" ", 2)[1]);
  }
}
