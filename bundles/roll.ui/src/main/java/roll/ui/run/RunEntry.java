package roll.ui.run;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import roll.runtime.pipeline.TrainingRun;

/**
 * A run as listed on the page, with its folder.
 *
 * @param id the first 12 hexadecimal digits of the SHA-256 of the folder's absolute path
 * @param folder its output folder; absolute
 * @param run null if it is not a run of this process
 */
public record RunEntry(String id, Path folder, @Nullable TrainingRun run) {
  private static final int DIGITS = 12;

  /** Returns the entry of the run in {@code folder}. */
  static RunEntry of(Path folder, @Nullable TrainingRun run) {
    Path absolute = folder.toAbsolutePath().normalize();
    return new RunEntry(id(absolute), absolute, run);
  }

  private static String id(Path folder) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(folder.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }
}
