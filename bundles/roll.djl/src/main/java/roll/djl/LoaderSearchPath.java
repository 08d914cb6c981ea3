package roll.djl;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The default search path of the Linux loader. */
final class LoaderSearchPath {
  private static final List<String> USUAL = List.of("/lib64", "/usr/lib64", "/lib", "/usr/lib");
  private static final Path CONFIG = Path.of("/etc/ld.so.conf.d");

  private LoaderSearchPath() {}

  /** Returns the folders of {@code ld.so.conf} and the standard ones; empty on other systems. */
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
        // then the standard folders
      }
    }
    folders.addAll(USUAL);
    return folders;
  }
}
