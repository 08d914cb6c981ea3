package roll.ui.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.ui.RunFolderMaker;
import roll.ui.control.OrderRecordingRun;

/** States of folders without a run of this process. */
class RunStatesTest {
  @TempDir Path root;

  private Map<String, RunSummary> list() {
    RunFolders folders =
        new RunFolders(OrderRecordingRun.trainer(List.of()), List.of(root), Duration.ZERO);
    return new RunSummaries(folders)
        .all().stream()
            .collect(
                Collectors.toMap(run -> root.relativize(Path.of(run.folder())) + "", run -> run));
  }

  private RunSummary of(String name) {
    return Objects.requireNonNull(list().get(name), name);
  }

  private RunFolderMaker begun(String name) throws IOException {
    return RunFolderMaker.in(root.resolve(name)).config("max_steps: 9\n").log("begun").steps(0, 3);
  }

  @Test
  void howARunEndedIsWhatItsLogSays() throws IOException {
    begun("finished").log("ended after step 9");
    begun("stopped").log("ended after step 3");
    begun("played").log("ended");
    begun("refused").log("refused: no such model");
    RunFolderMaker failed = begun("failed").log("failed");
    Files.writeString(
        failed.folder().resolve("run.log"),
        Files.readString(failed.folder().resolve("run.log"))
            + "java.lang.IllegalStateException: x\n"
            + "  at some.Where(Some.java:1)\n".repeat(1_000));
    begun("killed");
    RunFolderMaker silent = RunFolderMaker.in(root.resolve("silent")).config("a: 1\n");
    silent.step(0, Map.of("a", 1.0));
    assertEquals("finished", of("finished").state());
    assertEquals("interrupted", of("stopped").state());
    assertEquals("finished", of("played").state());
    assertEquals("failed", of("refused").state());
    assertEquals("refused: no such model", of("refused").waiting());
    assertEquals("failed", of("failed").state());
    assertEquals("killed", of("killed").state());
    assertEquals("its process was killed", of("killed").waiting());
    assertEquals("ended", of("silent").state());
    assertNull(of("silent").waiting());
  }

  @Test
  void aRunBeganWithItsOldestLog() throws IOException {
    RunFolderMaker run = begun("long");
    Long began = of("long").started();
    assertNotNull(began);
    Path log = run.folder().resolve("run.log");
    Files.move(log, run.folder().resolve("run.log.2"));
    run.log("from step 2 on: loss ppo → gspo");
    Files.move(log, run.folder().resolve("run.log.1"));
    run.log("ended after step 9");
    assertEquals(began, of("long").started());
    assertEquals("finished", of("long").state());
  }

  @Test
  void aRunOfAnotherProcessGoesOnElsewhereAndStandsBeforeThoseThatEnded() throws IOException {
    begun("ended").log("ended after step 9");
    RunFolderMaker other = begun("other");
    Files.writeString(
        other.folder().resolve(".owner"), "1 on another-machine since 2026-01-01T00:00:00Z\n");
    assertEquals("running", of("other").state());
    assertNull(of("other").ended());
    RunFolders folders =
        new RunFolders(OrderRecordingRun.trainer(List.of()), List.of(root), Duration.ZERO);
    assertEquals("running", new RunSummaries(folders).all().getFirst().state());
  }

  /** In containers a process often has the number that a killed one had. */
  @Test
  void aNumberThatAnotherProcessHasNowOwnsNothing() throws IOException {
    ProcessHandle self = ProcessHandle.current();
    LocalDateTime start =
        LocalDateTime.ofInstant(self.info().startInstant().orElseThrow(), ZoneId.systemDefault());
    String owner = self.pid() + " on " + InetAddress.getLocalHost().getHostName() + " since ";
    RunFolderMaker run = begun("mine");
    Files.writeString(run.folder().resolve(".owner"), owner + start.withNano(0) + "\n");
    assertEquals("running", of("mine").state());
    Files.writeString(run.folder().resolve(".owner"), owner + start.minusDays(1).withNano(0));
    assertEquals("killed", of("mine").state());
  }

  @Test
  void theLastValidationIsFoundHoweverFarBack() throws IOException {
    RunFolderMaker run = begun("far");
    Map<String, Double> many =
        IntStream.range(0, 300)
            .boxed()
            .collect(Collectors.toMap("some/long/name/of/a/metric/%d"::formatted, i -> i * 0.1));
    run.step(3, Map.of("val/score/mean", 0.25, "rollout/score/mean", 0.5));
    for (int step = 4; step < 200; step++) {
      run.step(step, many);
    }
    RunFolders folders =
        new RunFolders(OrderRecordingRun.trainer(List.of()), List.of(root), Duration.ZERO);
    RunSummaries summaries = new RunSummaries(folders);
    assertEquals(0.25, summaries.all().getFirst().headline().get("val/score/mean"));
    run.step(200, Map.of("val/score/mean", 0.75));
    for (int step = 201; step < 400; step++) {
      run.step(step, many);
    }
    assertEquals(0.75, summaries.all().getFirst().headline().get("val/score/mean"));
  }

  /** The last line of a finished run often has validations alone. */
  @Test
  void theLastStepOfTrainingIsFoundBeforeAValidation() throws IOException {
    RunFolderMaker run = begun("validated");
    String others =
        IntStream.range(0, 200)
            .mapToObj("\"val/name/of/a/metric/%d\":0.1,"::formatted)
            .collect(Collectors.joining());
    Files.writeString(
        run.folder().resolve("metrics.jsonl"),
        "{\"step\":3,\"metrics\":{%1$s\"rollout/score/mean\":0.5}}\n{\"step\":4,\"metrics\":{%1$s\"val/score/mean\":0.25}}\n"
            .formatted(others),
        StandardOpenOption.APPEND);
    Map<String, Double> headline = of("validated").headline();
    assertEquals(0.25, headline.get("val/score/mean"));
    assertEquals(0.5, headline.get("rollout/score/mean"));
  }

  /** A line of spaces once blocked the whole list. */
  @Test
  void whatOthersWroteTakesNoLongerThanItIsLong() throws IOException {
    String spaces = " ".repeat(900_000);
    List<String> configs =
        List.of(
            "a" + spaces + "b",
            "exp_name: x" + spaces + "y",
            "exp_name: " + spaces + "'\nmax_steps: " + spaces + "1x",
            "a: {b" + spaces + ": c",
            "'" + "- ".repeat(400_000),
            "x: \"" + "api_key: ".repeat(100_000));
    for (int i = 0; i < configs.size(); i++) {
      RunFolderMaker run = begun("odd" + i).config(configs.get(i));
      run.log("Error.".repeat(100_000) + "\u2028x");
      run.log("from step " + "1".repeat(500_000));
    }
    begun("good").log("ended after step 9");
    assertTimeout(Duration.ofSeconds(60), () -> assertNotNull(list().get("good")));
    for (int i = 0; i < configs.size(); i++) {
      RunFolder facts = new RunFolder(root.resolve("odd" + i));
      assertTimeout(Duration.ofSeconds(60), facts::config);
      RunHistory history = new RunHistory(root.resolve("odd" + i));
      assertTimeout(Duration.ofSeconds(60), history::events);
    }
  }
}
