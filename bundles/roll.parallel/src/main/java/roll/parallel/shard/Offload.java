package roll.parallel.shard;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a rank's state that are offloaded to files, and in memory only while they are used.
 *
 * @param optimizer whether moments are offloaded
 * @param parameters whether the rank's share of the parameters is offloaded, at stage 3
 * @param folder folder of the files; null for the system's temporary folder
 */
public record Offload(boolean optimizer, boolean parameters, @Nullable Path folder) {
  /** Offload of nothing: all state stays in memory. */
  public static final Offload NOTHING = new Offload(false, false, null);
}
