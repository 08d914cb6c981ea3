package roll.core;

import java.io.IOException;
import java.nio.file.FileSystemException;

/** Why a file could not be used. */
final class Reason {
  private Reason() {}

  /** What the system says where it says something, such as "No space left on device". */
  static String of(IOException e) {
    return e instanceof FileSystemException file && file.getReason() != null
        ? file.getReason()
        : e.getClass().getSimpleName();
  }
}
