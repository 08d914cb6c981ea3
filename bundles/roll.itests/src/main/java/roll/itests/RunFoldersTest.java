package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.Planner;
import roll.runtime.pipeline.RunEstimates;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;

/** ROLL's folders besides the output folder, in a run and its continuation. */
@Tag("framework")
@Timeout(240)
class RunFoldersTest {
  private final Path folder;
  private final Path models;

  RunFoldersTest(@TempDir Path folder) {
    this.folder = folder;
    models = folder.resolve("models/lake");
  }

  private LoadedConfig config(String... more) {
    List<String> overrides =
        SmallRuns.overrides(
            more,
            "exp_name=lake",
            "max_steps=2",
            "save_steps=1",
            "max_ckpt_to_keep=1",
            "eval_steps=1",
            "logging_dir=" + folder.resolve("logs"),
            "render_save_dir=" + folder.resolve("render"),
            "checkpoint_config={type: file_system, output_dir: " + models + "}");
    return SmallRuns.load("frozen_lake.yaml", folder, overrides);
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> String.valueOf(entry.getFileName())).sorted().toList();
    }
  }

  @Test
  void everythingIsWhereItIsAskedForAndContinues() throws Exception {
    Trainer trainer = SmallRuns.service(Trainer.class);
    Planner planner = SmallRuns.service(Planner.class);
    RunEstimates before = Objects.requireNonNull(planner.estimate(config()));
    TrainingRun run = trainer.start(config());
    assertEquals(2, run.outcome().get().steps());
    Path log = run.folder().resolve("run.log");
    assertEquals(Files.readString(log), Files.readString(folder.resolve("logs/lake/run.log")));
    assertEquals(List.of("step-0", "step-1", "step-2"), names(folder.resolve("render/lake")));
    assertEquals(4, names(folder.resolve("render/lake/step-2")).size());
    assertFalse(Files.exists(run.folder().resolve("frames")));
    assertFalse(Files.exists(run.folder().resolve("checkpoint-2")));
    assertEquals(List.of(".lock", "checkpoint-2"), names(models));

    long written = bytes(models.resolve("checkpoint-2"));
    assertTrue(
        Math.abs(written - before.checkpoint()) < written / 20,
        () -> before.checkpoint() + " bytes were expected, it has " + written);
    RunEstimates after = Objects.requireNonNull(planner.estimate(config()));
    assertEquals(2, Objects.requireNonNull(after.measured()).steps());

    LoadedConfig other = config("output_dir=" + folder.resolve("other"));
    UserException refused = assertThrows(UserException.class, () -> trainer.start(other));
    assertTrue(refused.getMessage().contains("already holds checkpoint-2"), refused.getMessage());
    LoadedConfig longer = config("max_steps=3", "resume_from_checkpoint=true");
    assertTrue(
        trainer.checkStart(longer).stream()
            .anyMatch(line -> line.startsWith("would resume from " + models)));
    assertEquals(3, trainer.start(longer).outcome().get().steps());
    assertEquals(List.of(".lock", "checkpoint-3"), names(models));
    assertTrue(Files.readString(log).contains("resuming from " + models.resolve("checkpoint-2")));
  }

  private static long bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
