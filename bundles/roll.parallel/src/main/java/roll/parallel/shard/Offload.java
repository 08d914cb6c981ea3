package roll.parallel.shard;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What of a rank's state is in files and is in memory only while it is used.
 *
 * @param optimizer whether the moments do
 * @param parameters whether the rank's share of the parameters does, at stage 3
 * @param folder where the files are made; null means the system's temporary folder
 */
public record Offload(boolean optimizer, boolean parameters, @Nullable Path folder) {
  /** Everything is in memory. */
  public static final Offload NOTHING = new Offload(false, false, null);
}
