package roll.core.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.core.output.FolderTree;

class CheckpointsTest {
  @TempDir Path folder;
  private final List<String> notices = new ArrayList<>();

  private static PipelineState after(int step) {
    return new PipelineState(step, .1, 42, 1);
  }

  private Path save(Checkpoints checkpoints, int step) throws IOException {
    Path beside = checkpoints.begin(step);
    Files.writeString(beside.resolve("model"), "weights " + step);
    return checkpoints.publish(beside, after(step));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void keeps_the_newest_in_the_order_of_steps() throws Exception {
    Checkpoints checkpoints = new Checkpoints(folder, 2);
    for (int step : new int[] {5, 10, 100}) {
      save(checkpoints, step);
    }
    assertEquals(List.of("checkpoint-10", "checkpoint-100"), names());
    Path newest = folder.resolve("checkpoint-100");
    assertEquals(newest, newest(checkpoints));
    assertEquals(100, checkpoints.last());
    assertEquals(FolderTree.bytes(newest), checkpoints.lastBytes());
    assertEquals(after(100), PipelineState.read(newest));
    assertEquals("weights 100", Files.readString(newest.resolve("model")));
    assertEquals(List.of(), notices);
  }

  @Test
  void never_shows_a_half_written_one() throws Exception {
    Checkpoints checkpoints = new Checkpoints(folder, 0);
    Path beside = checkpoints.begin(1);
    Files.writeString(beside.resolve("model"), "half");
    assertNull(newest(checkpoints));
    checkpoints.publish(checkpoints.begin(1), after(1));
    assertEquals(folder.resolve("checkpoint-1"), newest(checkpoints));
    assertFalse(Files.exists(folder.resolve("checkpoint-1/model")));
  }

  /** The states in which a killed process can leave the folder. */
  @Test
  void puts_right_what_a_killed_process_left() throws Exception {
    Checkpoints checkpoints = new Checkpoints(folder, 0);
    save(checkpoints, 1);
    save(checkpoints, 2);
    Files.createDirectories(folder.resolve(".checkpoint-3.tmp/trainer"));
    Files.createDirectories(folder.resolve(".checkpoint-1.gone/trainer"));
    Files.move(folder.resolve("checkpoint-2"), folder.resolve(".checkpoint-2.replaced"));
    checkpoints.recover();
    assertEquals(List.of("checkpoint-1", "checkpoint-2"), names());
    Files.createDirectories(folder.resolve(".checkpoint-2.replaced"));
    checkpoints.recover();
    assertEquals(List.of("checkpoint-1", "checkpoint-2"), names());
    assertEquals("weights 2", Files.readString(folder.resolve("checkpoint-2/model")));
  }

  @Test
  void saves_the_same_step_again() throws Exception {
    Checkpoints checkpoints = new Checkpoints(folder, 0);
    save(checkpoints, 1);
    Path beside = checkpoints.begin(1);
    Files.writeString(beside.resolve("model"), "others");
    checkpoints.publish(beside, after(1));
    assertEquals(List.of("checkpoint-1"), names());
    assertEquals("others", Files.readString(folder.resolve("checkpoint-1/model")));
  }

  @Test
  void passes_over_damaged_ones_and_says_so() throws Exception {
    Checkpoints checkpoints = new Checkpoints(folder, 0);
    for (int step = 1; step <= 4; step++) {
      save(checkpoints, step);
    }
    Files.writeString(folder.resolve("checkpoint-4/model"), "weights 5");
    Files.writeString(folder.resolve("checkpoint-3/model"), "weigh");
    Files.delete(folder.resolve("checkpoint-2/model"));
    assertEquals(folder.resolve("checkpoint-1"), newest(checkpoints));
    assertEquals(
        List.of(
            folder.resolve("checkpoint-4")
                + " is damaged: model has other bytes than were written; it is now"
                + " checkpoint-4.damaged, and the run continues from checkpoint-1",
            folder.resolve("checkpoint-3")
                + " is damaged: model has 5 bytes, 9 were written; it is now checkpoint-3.damaged,"
                + " and the run continues from checkpoint-1",
            folder.resolve("checkpoint-2")
                + " is damaged: model is missing; it is now checkpoint-2.damaged, and the run"
                + " continues from checkpoint-1"),
        notices);
  }

  @Test
  void does_not_begin_anew_where_all_are_damaged() throws Exception {
    Checkpoints checkpoints = new Checkpoints(folder, 0);
    save(checkpoints, 1);
    Files.writeString(
        folder.resolve("checkpoint-1").resolve(CheckpointManifest.NAME), "{\"files\": {\"mod");
    UserException damaged = assertThrows(UserException.class, () -> newest(checkpoints));
    assertTrue(
        damaged.getMessage().contains("checkpoint-1 is damaged: trainer/files.json is damaged"),
        damaged.getMessage());
    assertEquals(List.of("checkpoint-1"), names());
  }

  @Test
  void refuses_a_damaged_one_that_is_named_and_names_the_others() throws Exception {
    Checkpoints checkpoints = new Checkpoints(folder, 0);
    save(checkpoints, 1);
    Path named = save(checkpoints, 2);
    selection(checkpoints).require(named);
    Files.writeString(named.resolve("model"), "");
    assertEquals(
        "resume_from_checkpoint: "
            + named
            + " is damaged: model has 0 bytes, 9 were written; others in "
            + folder
            + ": checkpoint-1",
        userError(() -> selection(checkpoints).require(named)));
  }

  /** Whichever file is taken away or replaced, the checkpoint is not taken for whole. */
  @Test
  void whatever_is_missing_it_is_damaged() throws Exception {
    Checkpoints checkpoints = new Checkpoints(folder, 0);
    for (String name : List.of("model", PipelineState.FILE, CheckpointManifest.NAME)) {
      for (String how : List.of("deleted", "empty", "cut", "a folder", "a dangling link")) {
        Path file = save(checkpoints, 7).resolve(name);
        byte[] bytes = Files.readAllBytes(file);
        Files.delete(file);
        switch (how) {
          case "empty" -> Files.createFile(file);
          case "cut" -> Files.write(file, Arrays.copyOf(bytes, bytes.length - 3));
          case "a folder" -> Files.createDirectory(file);
          case "a dangling link" -> Files.createSymbolicLink(file, folder.resolve("nothing"));
          default -> {}
        }
        UserException found = assertThrows(UserException.class, () -> newest(checkpoints));
        assertTrue(found.getMessage().contains(name + " "), name + " " + how + ": " + found);
      }
    }
    Path manifest = save(checkpoints, 7).resolve(CheckpointManifest.NAME);
    for (String text :
        List.of(
            "{}",
            "[]",
            "null",
            "{\"files\":{}}",
            Files.readString(manifest).replace("\"format\": 1", "\"format\": -1"),
            "{\"files\":{\"a\":null}}",
            "[[[[")) {
      Files.writeString(manifest, text);
      UserException found = assertThrows(UserException.class, () -> newest(checkpoints));
      assertTrue(found.getMessage().contains("trainer/files.json is damaged"), text + found);
    }
    assertEquals(List.of("checkpoint-7"), names());
  }

  /** A checkpoint of a newer version of roll is not taken for damaged, and no older one for it. */
  @Test
  void refuses_a_newer_format_and_names_both() throws Exception {
    Checkpoints checkpoints = new Checkpoints(folder, 0);
    Path older = save(checkpoints, 1);
    Path newer = save(checkpoints, 2);
    Path manifest = newer.resolve(CheckpointManifest.NAME);
    assertTrue(Files.readString(manifest).contains("\"format\": 1,"), "written");
    String line =
        "resume_from_checkpoint: "
            + newer
            + " has format 7, and this version of roll reads formats up to 1: resume with the"
            + " version that wrote it, or a newer one";
    for (String text :
        List.of("{\"format\": 7, \"files\": {}}", "{\"format\": 7, \"files\": [1]}")) {
      Files.writeString(manifest, text);
      assertEquals(line, userError(() -> newest(checkpoints)));
      assertEquals(line, userError(() -> selection(checkpoints).require(newer)));
    }
    assertEquals(List.of("checkpoint-1", "checkpoint-2"), names());
    Path unnumbered = older.resolve(CheckpointManifest.NAME);
    Files.writeString(unnumbered, Files.readString(unnumbered).replace("\"format\": 1,", ""));
    selection(checkpoints).require(older);
  }

  @Test
  void sets_aside_what_is_not_on_the_way() throws Exception {
    Checkpoints checkpoints = new Checkpoints(folder, 0);
    for (int step = 1; step <= 3; step++) {
      save(checkpoints, step);
    }
    selection(checkpoints).setAside(folder.resolve("checkpoint-2"), 2, notices::add);
    assertEquals(List.of("checkpoint-1", "checkpoint-2", "checkpoint-3.old"), names());
    save(checkpoints, 3);
    selection(checkpoints).setAside(folder.resolveSibling("other"), 2, notices::add);
    assertEquals(
        List.of("checkpoint-1.old", "checkpoint-2.old", "checkpoint-3.old", "checkpoint-3.old.2"),
        names());
    assertEquals(4, notices.size());
  }

  @Test
  void refuses_what_is_no_checkpoint() throws Exception {
    Checkpoints checkpoints = new Checkpoints(folder, 0);
    String missing = userError(() -> selection(checkpoints).require(folder.resolve("none")));
    assertTrue(missing.contains("is no checkpoint"), missing);
    assertThrows(UserException.class, () -> PipelineState.read(folder));
    Files.createDirectories(folder.resolve("trainer"));
    Files.writeString(folder.resolve("trainer/pipeline.json"), "{\"step\": tw");
    UserException damaged = assertThrows(UserException.class, () -> PipelineState.read(folder));
    assertTrue(damaged.getMessage().contains("damaged"), damaged.getMessage());
    for (String text :
        List.of(
            "{}",
            "[]",
            "{\"step\":-1}",
            "{\"step\":1,\"klCoefficient\":NaN}",
            "{\"step\":1,\"skipped\":-2}")) {
      Files.writeString(folder.resolve("trainer/pipeline.json"), text);
      UserException found = assertThrows(UserException.class, () -> PipelineState.read(folder));
      assertTrue(found.getMessage().endsWith("trainer/pipeline.json is damaged"), text + found);
    }
  }

  private static CheckpointSelection selection(Checkpoints checkpoints) {
    return new CheckpointSelection(checkpoints);
  }

  private @Nullable Path newest(Checkpoints checkpoints) throws IOException {
    CheckpointSelection.Newest newest = selection(checkpoints).newest();
    selection(checkpoints).setAside(newest, notices::add);
    return newest.checkpoint();
  }
}
