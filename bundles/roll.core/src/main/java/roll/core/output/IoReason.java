package roll.core.output;

import java.io.IOException;
import java.nio.file.FileSystemException;

/** Why a file could not be used. */
public final class IoReason {
  private IoReason() {}

  /** The operating system's reason, such as "No space left on device", if there is one. */
  public static String of(IOException e) {
    return e instanceof FileSystemException file && file.getReason() != null
        ? file.getReason()
        : e.getClass().getSimpleName();
  }
}
