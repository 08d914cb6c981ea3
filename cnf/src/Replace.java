import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Replaces a file atomically by a copy of another; processes that have the old one open keep it.
 */
final class Replace {
  private Replace() {}

  /** Arguments: the new file, and the file to replace. */
  public static void main(String[] arguments) throws IOException {
    Path target = Path.of(arguments[1]);
    Path part = target.resolveSibling(target.getFileName() + ".part");
    Files.createDirectories(target.getParent());
    Files.copy(Path.of(arguments[0]), part, StandardCopyOption.REPLACE_EXISTING);
    Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
  }
}
