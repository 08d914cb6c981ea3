package roll.djl;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where the loader of Linux looks for every library. */
final class SystemFolders {
  private static final List<String> USUAL = List.of("/lib64", "/usr/lib64", "/lib", "/usr/lib");
  private static final Path CONFIG = Path.of("/etc/ld.so.conf.d");

  private SystemFolders() {}

  /** Those that {@code ld.so.conf} names and the usual ones; none where there is no Linux. */
  static List<String> all() {
    List<String> folders = new ArrayList<>();
    if (Files.isDirectory(CONFIG)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(CONFIG, "*.conf")) {
        for (Path file : files) {
          Files.readAllLines(file).stream()
              .map(String::strip)
              .filter(line -> line.startsWith("/"))
              .forEach(folders::add);
        }
      } catch (IOException unreadable) {
        // then the usual ones
      }
    }
    folders.addAll(USUAL);
    return folders;
  }
}
