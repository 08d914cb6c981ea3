import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Copies a file so that its new place has the old content or the new one, never a part; who has the
 * old one open keeps it.
 */
final class Replace {
  private Replace() {}

  /** Two arguments: the file, and what to replace. */
  public static void main(String[] arguments) throws IOException {
    Path target = Path.of(arguments[1]);
    Path part = target.resolveSibling(target.getFileName() + ".part");
    Files.createDirectories(target.getParent());
    Files.copy(Path.of(arguments[0]), part, StandardCopyOption.REPLACE_EXISTING);
    Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
  }
}
