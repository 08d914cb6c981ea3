package roll.core.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import roll.api.memory.MemoryKind;
import roll.api.option.UserException;
import roll.core.Roles;
import roll.runtime.pipeline.MemoryPlan;

/** Checks whether the disk has room for a checkpoint before it is written. */
public final class DiskSpace {
  private static final double MEGABYTE = 1 << 20;

  /** Saved bytes per byte of optimizer state: two moments and the weight itself. */
  private static final double SAVED = 1.5;

  private static final Set<MemoryKind> OPTIMIZER =
      EnumSet.of(MemoryKind.OPTIMIZER, MemoryKind.OFFLOADED);

  private final Checkpoints checkpoints;
  private final long expected;
  private final Free free;

  /** Measures the bytes that can still be written into a folder. */
  public interface Free {
    /** Returns the free bytes of the disk that {@code folder} is on. */
    long bytes(Path folder) throws IOException;
  }

  /**
   * Creates the disk check of {@code checkpoints}.
   *
   * @param expected estimated bytes of a checkpoint, used until one was written; 0 if unknown
   */
  public DiskSpace(Checkpoints checkpoints, long expected, Free free) {
    this.checkpoints = checkpoints;
    this.expected = expected;
    this.free = free;
  }

  /** Creates the check of the disk with the optimizer sizes of {@code plan}. */
  public static DiskSpace of(Checkpoints checkpoints, MemoryPlan plan) {
    return new DiskSpace(
        checkpoints, expected(plan), folder -> Files.getFileStore(folder).getUsableSpace());
  }

  /** Most that the roles that are trained hold for their optimizers, by role, and the weights. */
  static long expected(MemoryPlan plan) {
    Map<String, Map<String, Long>> byRole = new HashMap<>();
    for (MemoryPlan.Share share : plan.shares()) {
      if (Roles.TRAINED.contains(share.role())) {
        long bytes =
            OPTIMIZER.stream()
                .mapToLong(kind -> share.memory().bytes().getOrDefault(kind, 0L))
                .sum();
        byRole
            .computeIfAbsent(share.role(), role -> new HashMap<>())
            .merge(share.phase(), bytes, Long::sum);
      }
    }
    long optimizers =
        byRole.values().stream()
            .mapToLong(
                phases -> phases.values().stream().mapToLong(Long::longValue).max().orElse(0))
            .sum();
    return (long) (SAVED * optimizers);
  }

  /**
   * Checks that the disk has room for one more checkpoint, as large as the last.
   *
   * @throws UserException with what is needed and what is free
   */
  public void require() throws IOException {
    long last = checkpoints.lastBytes();
    long needed = last >= 0 ? last : expected;
    long there = free.bytes(checkpoints.folder());
    if (there < needed) {
      throw new UserException(
          String.format(
              Locale.ROOT,
              "output folder %s: a checkpoint needs %s%.1f MB, %.1f MB are free; %s",
              checkpoints.folder(),
              last >= 0 ? "" : "about ",
              needed / MEGABYTE,
              there / MEGABYTE,
              whatIsThere(checkpoints.last())));
    }
  }

  /** A phrase about the last checkpoint of a run that cannot continue, for the end of a message. */
  static String whatIsThere(int last) {
    return last < 0 ? "nothing was saved" : "checkpoint-" + last + " is whole";
  }
}
