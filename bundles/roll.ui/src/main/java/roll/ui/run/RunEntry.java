package roll.ui.run;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import roll.runtime.pipeline.TrainingRun;

/**
 * A run that is shown.
 *
 * @param id stands for its folder in addresses, today and later
 * @param folder absolute
 * @param run null where it is none of this process
 */
public record RunEntry(String id, Path folder, @Nullable TrainingRun run) {
  private static final int ID_BYTES = 6;

  /** The run that writes or wrote {@code folder}. */
  static RunEntry of(Path folder, @Nullable TrainingRun run) {
    Path absolute = folder.toAbsolutePath().normalize();
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(absolute.toString().getBytes(StandardCharsets.UTF_8));
      return new RunEntry(HexFormat.of().formatHex(hash, 0, ID_BYTES), absolute, run);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
