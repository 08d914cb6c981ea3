package roll.start;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists and deletes folders. */
final class FileTrees {
  private FileTrees() {}

  /** Returns the files and folders in {@code folder}. */
  static List<Path> list(Path folder) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (var stream = Files.newDirectoryStream(folder)) {
      stream.forEach(entries::add);
    }
    return entries;
  }

  /** Deletes {@code folder} recursively without following links. */
  static void delete(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException error)
              throws IOException {
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
