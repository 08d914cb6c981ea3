package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.pipeline.TrainingRun;

/** An interrupted run is resumed, and a damaged one is refused. */
@Tag("framework")
@Timeout(240)
@TestInstance(Lifecycle.PER_CLASS)
class ResumeTest {
  private static final String RESUME = "resume_from_checkpoint=true";

  private final Path folder;

  /** A complete run; tests resume copies of it. */
  private Path whole;

  /** A complete run with a critic. */
  private Path ppo;

  ResumeTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeAll
  void trainWhole() throws Exception {
    whole = train("whole").folder();
    ppo = ppo("ppo");
  }

  /** Creates an interrupted run {@code name} from {@link #whole}. */
  private Path left(String name) throws IOException {
    Path run = folder.resolve(name);
    SmallRuns.copy(whole, run);
    return run;
  }

  private TrainingRun train(String name, String... more) throws Exception {
    List<String> overrides =
        SmallRuns.overrides(
            more,
            "exp_name=" + name,
            "max_steps=4",
            "save_steps=2",
            "logging_steps=1",
            "init_kl_coef=0.05",
            "target_kl=0.001");
    TrainingRun run = SmallRuns.start("frozen_lake.yaml", folder, overrides);
    run.outcome().get();
    return run;
  }

  /** A run killed in its fourth step while writing a checkpoint is truncated and ends equal. */
  @Test
  void whatAKilledRunLeftIsCutBackAndEqualInTheEnd() throws Exception {
    Path cut = left("cut");
    delete(cut.resolve("checkpoint-4"));
    SmallRuns.copy(whole.resolve("checkpoint-4"), cut.resolve(".checkpoint-4.tmp"));
    Files.delete(cut.resolve(".checkpoint-4.tmp/trainer/files.json"));
    Files.writeString(cut.resolve("trajectories/step-3.jsonl"), "torn");
    Files.writeString(
        cut.resolve("metrics.jsonl"), "{\"step\": 9, \"met", StandardOpenOption.APPEND);

    TrainingRun resumed = train("cut", RESUME);
    RunAssertions.assertSameRun(whole, resumed.folder());
    assertEquals(2, lines(cut, " actor_train computes with ").size());
    assertEquals(List.of(), lines(cut, " was computed with "));
    assertEquals(files(whole), files(resumed.folder()));
    for (String name : List.of("learning-curve.csv", "trajectories/step-3.jsonl")) {
      assertEquals(-1, Files.mismatch(whole.resolve(name), cut.resolve(name)), name);
    }
  }

  /** A run killed between its last checkpoint and its last validation is validated. */
  @Test
  void aRunThatWasCutOffAfterItsLastStepIsStillValidated() throws Exception {
    Path ended = left("ended");
    train("ended", RESUME);
    assertEquals(RunAssertions.metrics(whole), RunAssertions.metrics(ended));
  }

  @Test
  void savesTheSameInTheBackgroundAndAtTheBoundary() throws Exception {
    Path boundary = train("boundary", "async_save_ckpt=false").folder();
    RunAssertions.assertSameRun(whole, boundary);
    assertTrue(Files.readString(whole.resolve("run.log")).contains(" in the background"));
    assertFalse(Files.readString(boundary.resolve("run.log")).contains(" in the background"));
  }

  @Test
  void aDamagedCheckpointIsPassedOverWithANotice() throws Exception {
    Path damaged = left("damaged");
    Path model = damaged.resolve("checkpoint-4/model.safetensors");
    Files.write(model, new byte[100]);
    ExecutionException named =
        assertThrows(
            ExecutionException.class,
            () -> train("damaged", "resume_from_checkpoint=" + model.getParent()));
    String line =
        named.getCause() instanceof UserException e ? String.valueOf(e.getMessage()) : named + "";
    assertTrue(line.contains("checkpoint-4 is damaged: model.safetensors has 100 bytes"), line);
    assertTrue(line.endsWith(": checkpoint-2"), line);

    train("damaged", RESUME);
    RunAssertions.assertSameRun(whole, damaged);
    assertTrue(Files.exists(damaged.resolve("checkpoint-4.damaged")));
    String log = Files.readString(damaged.resolve("run.log"));
    assertTrue(log.contains("it is now checkpoint-4.damaged, and the run continues from"), log);
  }

  @Test
  void continuingFromAnOlderCheckpointSetsTheNewerAside() throws Exception {
    Path older = left("older");
    train("older", "resume_from_checkpoint=" + older.resolve("checkpoint-2"));
    RunAssertions.assertSameRun(whole, older);
    assertTrue(Files.exists(older.resolve("checkpoint-4.old")));
  }

  /** A critic is resumed from every kind of checkpoint. */
  @Test
  void aCriticIsContinuedToo() throws Exception {
    Path cut = folder.resolve("ppo-cut");
    SmallRuns.copy(ppo, cut);
    delete(cut.resolve("checkpoint-4"));
    RunAssertions.assertSameRun(ppo, ppo("ppo-cut", RESUME));
  }

  /** A run resumed on another machine logs the changes of arithmetic for each role. */
  @Test
  void changesOfTheMachineAreReported() throws Exception {
    Path moved = folder.resolve("ppo-moved");
    SmallRuns.copy(ppo, moved);
    delete(moved.resolve("checkpoint-4"));
    replace(moved.resolve("checkpoint-2"), "trainer/state.json", "\"processor\":\"", "$0Old ");
    replace(moved.resolve("checkpoint-2"), "critic/trainer/state.json", "\"threads\":", "$01");
    RunAssertions.assertSameRun(ppo, ppo("ppo-moved", RESUME));
    List<String> told = lines(moved, " was computed with ");
    assertEquals(2, told.size(), told + "");
    assertTrue(
        told.get(0).contains(" actor_train: checkpoint-2 was computed with Old "), told.get(0));
    assertTrue(
        told.get(1).matches(".* critic: checkpoint-2 was computed with 1\\d+ threads; here .*"),
        told.get(1));
    for (String line : told) {
      assertTrue(line.endsWith(": the run continues, its last bits will differ"), line);
    }
  }

  private Path ppo(String name, String... keys) throws Exception {
    List<String> overrides =
        SmallRuns.overrides(
            keys,
            "exp_name=" + name,
            "max_steps=4",
            "save_steps=2",
            "critic_warmup=1",
            "critic.training_args.per_device_train_batch_size=8");
    TrainingRun run = SmallRuns.start("frozen_lake_ppo.yaml", folder, overrides);
    run.outcome().get();
    return run.folder();
  }

  /** Returns the lines of a run's log that contain {@code part}. */
  private static List<String> lines(Path run, String part) throws IOException {
    return Files.readAllLines(run.resolve("run.log")).stream()
        .filter(line -> line.contains(part))
        .toList();
  }

  /** Replaces matches of {@code pattern} in a file of a checkpoint and keeps it valid. */
  private static void replace(Path checkpoint, String name, String pattern, String by)
      throws IOException {
    Path file = checkpoint.resolve(name);
    Files.writeString(file, Files.readString(file).replaceFirst(pattern, by));
    CRC32C crc = new CRC32C();
    crc.update(Files.readAllBytes(file));
    Path manifest = checkpoint.resolve("trainer/files.json");
    JsonObject sums = JsonParser.parseString(Files.readString(manifest)).getAsJsonObject();
    JsonObject sum = sums.getAsJsonObject("files").getAsJsonObject(name);
    sum.addProperty("bytes", Files.size(file));
    sum.addProperty("crc32c", "%08x".formatted(crc.getValue()));
    Files.writeString(manifest, sums.toString());
  }

  /** Returns all files whose names do not contain the time or the process. */
  private static List<String> files(Path run) throws IOException {
    try (Stream<Path> files = Files.walk(run)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> run.relativize(file).toString())
          .filter(name -> !name.startsWith("tensorboard"))
          .sorted()
          .toList();
    }
  }

  private static void delete(Path checkpoint) throws IOException {
    try (Stream<Path> files = Files.walk(checkpoint)) {
      for (Path file : files.toList().reversed()) {
        Files.delete(file);
      }
    }
  }
}
