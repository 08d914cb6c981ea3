package roll.core.output;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;

/** Copies, deletes and syncs whole folders. */
public final class FolderTree {
  private FolderTree() {}

  /** Deletes {@code folder} recursively; does nothing if it does not exist. */
  public static void delete(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> entries = Files.walk(folder)) {
      for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(entry);
      }
    }
  }

  /** Bytes of all files in {@code folder}. */
  public static long bytes(Path folder) throws IOException {
    long bytes = 0;
    try (Stream<Path> entries = Files.walk(folder)) {
      for (Path file : entries.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  /** Returns when everything in {@code folder} is on the disk, the names of its files too. */
  public static void force(Path folder) throws IOException {
    try (Stream<Path> entries = Files.walk(folder)) {
      for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
        forceEntry(entry);
      }
    }
  }

  /** Forces one file, or the names in one folder, to disk. */
  public static void forceEntry(Path entry) throws IOException {
    try (FileChannel channel = FileChannel.open(entry, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
