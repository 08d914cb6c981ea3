package roll.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.UserException;

class CheckpointsTest {
  @TempDir Path folder;

  @Test
  void keeps_the_newest_in_the_order_of_steps() throws Exception {
    Checkpoints checkpoints = new Checkpoints(folder, 2);
    for (int step : new int[] {5, 10, 100}) {
      checkpoints.save(
          new Checkpoints.State(step, .1, 42),
          place -> Files.writeString(place.resolve("model"), "weights " + step));
    }
    assertFalse(Files.exists(folder.resolve("checkpoint-5")));
    Path newest = folder.resolve("checkpoint-100");
    assertEquals(newest, checkpoints.newest());
    assertEquals(new Checkpoints.State(100, .1, 42), Checkpoints.read(newest));
    assertEquals("weights 100", Files.readString(newest.resolve("model")));
  }

  @Test
  void never_shows_a_half_written_one() throws Exception {
    Checkpoints checkpoints = new Checkpoints(folder, 0);
    assertThrows(
        IOException.class,
        () ->
            checkpoints.save(
                new Checkpoints.State(1, 0, 1),
                place -> {
                  Files.writeString(place.resolve("model"), "half");
                  throw new IOException("disk full");
                }));
    assertNull(checkpoints.newest());
    checkpoints.save(new Checkpoints.State(1, 0, 1), place -> {});
    assertEquals(folder.resolve("checkpoint-1"), checkpoints.newest());
    assertFalse(Files.exists(folder.resolve("checkpoint-1/model")));
  }

  @Test
  void refuses_what_is_no_checkpoint() throws Exception {
    UserException missing = assertThrows(UserException.class, () -> Checkpoints.read(folder));
    assertTrue(missing.getMessage().contains("is no checkpoint"), missing.getMessage());
    Files.createDirectories(folder.resolve("trainer"));
    Files.writeString(folder.resolve("trainer/pipeline.json"), "{\"step\": tw");
    UserException damaged = assertThrows(UserException.class, () -> Checkpoints.read(folder));
    assertTrue(damaged.getMessage().contains("damaged"), damaged.getMessage());
  }
}
