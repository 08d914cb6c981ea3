package roll.assemble;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Copies, archives and deletes folders. */
final class FileTrees {
  private FileTrees() {}

  /**
   * Copies a file, or a folder except entries named as in {@code without}, following links. No
   * effect if {@code source} does not exist.
   */
  static void copy(Path source, Path target, Set<String> without) throws IOException {
    if (!Files.exists(source)) {
      return;
    }
    for (Path entry : files(source)) {
      Path relative = source.relativize(entry);
      if (Stream.iterate(relative, p -> p != null, Path::getParent)
          .noneMatch(p -> without.contains(String.valueOf(p.getFileName())))) {
        Path copy = relative.toString().isEmpty() ? target : target.resolve(relative.toString());
        Files.createDirectories(copy.getParent());
        Files.copy(entry, copy, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /** Returns the files in {@code folder}, sorted; for a file the file itself. */
  static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> entries = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
      return entries.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** Returns the size of all files in {@code folder}. */
  static long bytes(Path folder) throws IOException {
    long bytes = 0;
    for (Path file : files(folder)) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  /**
   * Writes {@code folder} into {@code archive}, below a folder {@code name}. Files, mostly jars,
   * are not compressed; executable ones stay executable.
   */
  static void zip(Path folder, String name, Path archive) throws IOException {
    Map<String, ?> options =
        Map.of(
            "create", "true", "enablePosixFileAttributes", "true", "compressionMethod", "STORED");
    try (FileSystem zip =
        FileSystems.newFileSystem(URI.create("jar:" + archive.toUri()), options)) {
      for (Path file : files(folder)) {
        Path entry = zip.getPath(name, folder.relativize(file).toString().split("[/\\\\]"));
        Files.createDirectories(entry.getParent());
        Files.copy(file, entry);
        if (Files.isExecutable(file)) {
          Files.setPosixFilePermissions(entry, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
      }
    }
  }

  /** Deletes {@code folder} recursively, if it exists. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> entries = Files.walk(folder)) {
      for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(entry);
      }
    }
  }
}
