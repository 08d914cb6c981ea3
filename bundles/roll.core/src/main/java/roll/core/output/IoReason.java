package roll.core.output;

import java.io.IOException;
import java.nio.file.FileSystemException;

/** Why a file could not be used. */
public final class IoReason {
  private IoReason() {}

  /** What the system says where it says something, such as "No space left on device". */
  public static String of(IOException e) {
    return e instanceof FileSystemException file && file.getReason() != null
        ? file.getReason()
        : e.getClass().getSimpleName();
  }
}
