package roll.sweep;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file could not be used, in words. */
final class IoReason {
  private IoReason() {}

  /** What the system says, such as "No space left on device". */
  static String of(IOException e) {
    if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason();
    }
    return switch (e) {
      case FileAlreadyExistsException there -> there.getFile() + " is a file";
      case NoSuchFileException missing -> missing.getFile() + " cannot be made";
      case AccessDeniedException denied -> denied.getFile() + " may not be written";
      default -> String.valueOf(e.getMessage());
    };
  }
}
