import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Temporary files and folders that no living process uses.
 *
 * @param distribution folder of {@code roll.jar}
 * @param own folder for the caches and temporary files of the processes
 */
record LeftBehind(Path distribution, Path own) {
  /** Returns the leftovers of the distribution of the script {@code roll}. */
  static LeftBehind of(Path roll, Path own) {
    Path home = roll.toAbsolutePath().normalize().getParent();
    boolean finished = Files.exists(home.resolve("roll.jar"));
    return new LeftBehind(finished ? home : home.resolve("launch/target/dist"), own);
  }

  /** Lists the leftovers. */
  List<Path> list() throws IOException {
    Path memory = Path.of("/dev/shm/roll-" + System.getProperty("user.name"));
    List<Path> left = new ArrayList<>();
    for (Path home :
        List.of(memory, distribution.resolve("cache/run"), distribution.resolve("cache/tmp"))) {
      for (Path folder : entries(home)) {
        if (Files.isDirectory(folder) && !held(folder.resolve("lock"))) {
          left.add(folder);
        }
      }
    }
    left.addAll(entries(own.resolve("tmp")));
    for (Path engine : entries(own.resolve("roll/djl"))) {
      entries(engine).stream()
          .filter(e -> e.getFileName().toString().matches(".*(tmp|part).*"))
          .forEach(left::add);
    }
    left.addAll(entries(own.resolve("JNA/temp")));
    left.addAll(entries(own.resolve("roll/tmp")).stream().filter(Files::isDirectory).toList());
    return left;
  }

  private static List<Path> entries(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList();
    }
  }

  private static boolean held(Path lock) throws IOException {
    if (!Files.exists(lock)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
        FileLock alone = channel.tryLock()) {
      return alone == null;
    }
  }
}
