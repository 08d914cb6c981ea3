package roll.sweep;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Describes input and output errors. */
final class IoReason {
  private IoReason() {}

  /** Returns the reason from the system, such as "No space left on device". */
  static String of(IOException e) {
    if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason();
    }
    return switch (e) {
      case FileAlreadyExistsException there -> there.getFile() + " is a file";
      case NoSuchFileException missing -> missing.getFile() + " cannot be created";
      case AccessDeniedException denied -> denied.getFile() + " is not writable";
      default -> String.valueOf(e.getMessage());
    };
  }
}
