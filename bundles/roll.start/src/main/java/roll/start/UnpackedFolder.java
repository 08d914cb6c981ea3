package roll.start;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashSet;
import java.util.Set;

/**
 * A folder with the files of a distribution and a list of them with sizes and times. The list is
 * written last, so that a folder without it is incomplete.
 */
final class UnpackedFolder {
  private static final String LIST = "files";
  private static final String PART = ".part";
  private static final String LAST = "end";

  private UnpackedFolder() {}

  /** Returns whether every file has the size and time at which it was written. */
  static boolean isWhole(Path folder) {
    try {
      String last = "";
      for (String line : Files.readAllLines(folder.resolve(LIST))) {
        last = line;
        if (!line.equals(LAST) && !line.equals(line(folder, path(line)))) {
          return false;
        }
      }
      return last.equals(LAST);
    } catch (IOException e) {
      return false; // incomplete
    }
  }

  /**
   * Unpacks the distribution {@code packed} into {@code folder}. Files are replaced, never changed,
   * so processes that have an old file open are not affected.
   */
  static void write(PackedDistribution packed, Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(LIST));
    Set<Path> folders = new HashSet<>(Set.of(folder));
    StringBuilder list = new StringBuilder();
    packed.unpack(
        (path, content) -> {
          Path file = folder.resolve(path);
          Path parent = file.getParent();
          if (parent != null && folders.add(parent)) {
            room(folder, parent);
          }
          replace(file, content);
          list.append(line(folder, path)).append('\n');
        });
    Path part = folder.resolve(LIST + PART);
    Files.writeString(part, list.append(LAST).append('\n'));
    Files.move(part, folder.resolve(LIST), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Creates a folder, replacing files of that name in a damaged cache. */
  private static void room(Path top, Path folder) throws IOException {
    for (Path p = folder; p != null && !p.equals(top); p = p.getParent()) {
      if (Files.exists(p) && !Files.isDirectory(p)) {
        Files.delete(p);
      }
    }
    Files.createDirectories(folder);
  }

  private static void replace(Path file, InputStream content) throws IOException {
    if (Files.isDirectory(file)) {
      FileTrees.delete(file);
    }
    Path part = file.resolveSibling(file.getFileName() + PART);
    Files.copy(content, part, StandardCopyOption.REPLACE_EXISTING);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String path(String line) {
    return line.substring(line.indexOf(' ', line.indexOf(' ') + 1) + 1);
  }

  private static String line(Path folder, String path) throws IOException {
    var file = Files.readAttributes(folder.resolve(path), BasicFileAttributes.class);
    FileTime time = file.lastModifiedTime();
    return file.size() + " " + time.toMillis() + " " + path;
  }
}
