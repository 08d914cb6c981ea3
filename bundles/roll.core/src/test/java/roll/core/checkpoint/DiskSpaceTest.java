package roll.core.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;
import roll.runtime.pipeline.MemoryPlan;

class DiskSpaceTest {
  private static final long MEGABYTE = 1 << 20;

  @TempDir Path folder;

  private DiskSpace disk(long expected, long free) {
    return new DiskSpace(new Checkpoints(folder, 0), expected, place -> free);
  }

  @Test
  void before_the_first_checkpoint_the_plan_counts() throws Exception {
    disk(5 * MEGABYTE, 5 * MEGABYTE).require();
    disk(0, 0).require();
    assertEquals(
        "output folder "
            + folder
            + ": a checkpoint needs about 5.0 MB, 4.9 MB are free; nothing was saved",
        userError(() -> disk(5 * MEGABYTE, (long) (4.9 * MEGABYTE)).require()));
  }

  @Test
  void later_the_last_one_counts() throws Exception {
    Path last = Files.createDirectories(folder.resolve("checkpoint-3/trainer"));
    Files.write(last.resolve("moments"), new byte[(int) (2 * MEGABYTE)]);
    disk(5 * MEGABYTE, 2 * MEGABYTE).require();
    assertEquals(
        "output folder "
            + folder
            + ": a checkpoint needs 2.0 MB, 1.0 MB are free; checkpoint-3 is whole",
        userError(() -> disk(1, MEGABYTE).require()));
  }

  /** 1.5 times the optimizers: (8 + 4) of actor_train on two devices and 2 of the critic. */
  @Test
  void a_plan_counts_the_roles_that_are_trained_in_their_fullest_phase() {
    MemoryPlan plan =
        new MemoryPlan(
            List.of(
                share("train", "actor_train", 0, Map.of(MemoryKind.OPTIMIZER, 8L)),
                share("train", "actor_train", 1, Map.of(MemoryKind.OFFLOADED, 4L)),
                share("rollout", "actor_train", 0, Map.of(MemoryKind.OPTIMIZER, 8L)),
                share("train", "critic", 0, Map.of(MemoryKind.OPTIMIZER, 2L)),
                share("train", "reference", 0, Map.of(MemoryKind.PARAMETERS, 100L))),
            Map.of(),
            List.of(),
            null);
    assertEquals(21, DiskSpace.expected(plan));
  }

  private static MemoryPlan.Share share(
      String phase, String role, int device, Map<MemoryKind, Long> bytes) {
    return new MemoryPlan.Share(phase, role, new SessionMemory(device, bytes));
  }
}
