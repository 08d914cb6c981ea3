package roll.core.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.core.trajectory.EpisodeGifs;
import roll.runtime.config.RunConfig;
import roll.runtime.config.RunFoldersConfig;
import roll.testkit.ExampleRunConfigs;

/** Folders beside the output folder: what is written there, and what is refused. */
class PlacesTest {
  @TempDir Path folder;

  private RunConfig run(Path log, Path frames, Path checkpoints) {
    return ExampleRunConfigs.with(
        ExampleRunConfigs.small(folder.resolve("run"), 1),
        new RunFoldersConfig(log, frames, checkpoints));
  }

  private RunConfig logging(Path log) {
    return ExampleRunConfigs.with(
        ExampleRunConfigs.small(folder.resolve("run"), 1), new RunFoldersConfig(log, null, null));
  }

  private RunConfig checkpoints(Path checkpoints) {
    return ExampleRunConfigs.with(
        ExampleRunConfigs.small(folder.resolve("run"), 1),
        new RunFoldersConfig(null, null, checkpoints));
  }

  private RunConfig frames(Path frames) {
    return ExampleRunConfigs.with(
        ExampleRunConfigs.small(folder.resolve("run"), 1),
        new RunFoldersConfig(null, frames, null));
  }

  private static String complaint(RunConfig run) {
    return userError(() -> RunFoldersCheck.require(run));
  }

  @Test
  void theLogIsInBothFolders() throws Exception {
    Path own = Files.createDirectories(folder.resolve("run"));
    Path other = folder.resolve("logs/small");
    RunLog log = RunLog.later(own, logging(other));
    log.line("before it begins");
    assertFalse(Files.exists(other));
    log.begin();
    log.line("then");
    log.close();
    String text = Files.readString(own.resolve(RunLog.NAME));
    assertTrue(text.endsWith(" then\n") && text.contains("before it begins"), text);
    assertEquals(text, Files.readString(other.resolve(RunLog.NAME)));
  }

  /** A run that cannot log there is refused; one that has failed is still told of, where it can. */
  @Test
  void aLogThatCannotBeWrittenIsRefused() throws Exception {
    Path own = Files.createDirectories(folder.resolve("run"));
    Path file = Files.writeString(folder.resolve("file"), "");
    RunLog log = RunLog.later(own, logging(file));
    assertEquals(
        "logging_dir: " + file + " cannot be written (FileAlreadyExistsException)",
        userError(log::begin));
    assertFalse(log.begun());
    log.failure("failed", new IllegalStateException("why"));
    log.close();
    assertTrue(Files.readString(own.resolve(RunLog.NAME)).contains("why"));
  }

  @Test
  void checkpointsHaveAFolderOfOneRun() throws Exception {
    RunConfig run = checkpoints(folder.resolve("new/checkpoints"));
    assertEquals(folder.resolve("new/checkpoints"), run.checkpointFolder());
    CheckpointFolder held = CheckpointFolder.take(run);
    String second = userError(() -> CheckpointFolder.take(run));
    assertTrue(
        second.startsWith("checkpoint folder " + run.checkpointFolder() + " is in use by process "),
        second);
    held.close();
    assertFalse(Files.exists(run.checkpointFolder()), "nothing came into it");

    Files.createDirectories(run.checkpointFolder().resolve("notes"));
    CheckpointFolder.take(run).close();
    Files.createDirectories(run.checkpointFolder().resolve("checkpoint-7"));
    String occupied =
        "checkpoint_config.output_dir: "
            + run.checkpointFolder()
            + " already holds checkpoint-7: set resume_from_checkpoint=true to continue from there,"
            + " or another folder";
    assertEquals(occupied, userError(() -> CheckpointFolder.take(run)));
    assertEquals(occupied, complaint(run));
    assertTrue(Files.exists(run.checkpointFolder().resolve("checkpoint-7")));
  }

  @Test
  void withoutAFolderOfTheirOwnNothingIsTaken() {
    RunConfig run = ExampleRunConfigs.small(folder.resolve("run"), 1);
    CheckpointFolder.take(run).close();
    RunFoldersCheck.require(run);
    assertEquals(folder.resolve("run"), run.checkpointFolder());
    assertEquals(folder.resolve("run/frames"), run.frames(3));
    assertFalse(Files.exists(folder.resolve("run")));
  }

  @Test
  void whatCannotBeAFolderIsRefused() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    Path below = file.resolve("deep/er");
    String why = below + " cannot be written (" + file + " is no folder)";
    assertEquals("logging_dir: " + why, complaint(logging(below)));
    assertEquals("render_save_dir: " + why, complaint(frames(below)));
    assertEquals("checkpoint_config.output_dir: " + why, complaint(checkpoints(below)));
    RunFoldersCheck.require(
        run(folder.resolve("a/b"), folder.resolve("c/d"), folder.resolve("e/f")));
    try (var entries = Files.list(folder)) {
      assertEquals(List.of(file), entries.toList(), "looking makes no folders");
    }
    Path planted = Files.createDirectories(folder.resolve("logs"));
    Files.createSymbolicLink(planted.resolve(RunLog.NAME), file);
    assertTrue(complaint(logging(planted)).contains("run.log is a link"));
  }

  @Test
  void drawnEpisodesOfEveryValidationAreKept() throws Exception {
    RunConfig run = frames(folder.resolve("drawn/small"));
    BufferedImage image = new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB);
    Path notes = Files.createDirectories(run.frames(10)).resolve("notes.txt");
    Files.writeString(notes, "mine");
    EpisodeGifs.write(run, 0, Map.of("a", List.of(image)));
    EpisodeGifs.write(run, 10, Map.of("b", List.of(image)));
    EpisodeGifs.write(run, 10, Map.of("c", List.of(image)));
    assertTrue(Files.exists(folder.resolve("drawn/small/step-0/a.gif")));
    assertFalse(Files.exists(folder.resolve("drawn/small/step-10/b.gif")));
    assertTrue(Files.exists(folder.resolve("drawn/small/step-10/c.gif")));
    assertEquals("mine", Files.readString(notes));

    Path file = Files.writeString(folder.resolve("file"), "");
    String refused = userError(() -> EpisodeGifs.write(frames(file), 0, Map.of()));
    assertTrue(refused.startsWith("render_save_dir: " + file.resolve("step-0")), refused);
  }

  /** A link planted in the folder must not redirect the run's writing and deleting. */
  @Test
  void aPlantedLinkIsNotFollowed() throws Exception {
    Path victim = Files.createDirectories(folder.resolve("victim"));
    Files.writeString(victim.resolve("mine.gif"), "mine");
    RunConfig run = frames(Files.createDirectories(folder.resolve("drawn")));
    Files.createSymbolicLink(run.frames(0), victim);
    EpisodeGifs.write(run, 0, Map.of());
    assertEquals("mine", Files.readString(victim.resolve("mine.gif")));
    assertTrue(Files.isDirectory(run.frames(0)));
  }
}
