package roll.ui.run;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the folders of runs below others. A folder whose time of change is that of the last scan is
 * not listed again.
 */
final class FolderScan {
  /** A name that is added just after a listing may leave the time of change as it was. */
  private static final long RACY_MILLIS = 2_000;

  private static final int MOST_FOLDERS = 20_000;

  private final List<Path> roots;
  private final int depth;
  private Map<Path, Listed> known = new HashMap<>();

  /**
   * Below {@code roots}, themselves included.
   *
   * @param depth how many levels below a root
   */
  FolderScan(List<Path> roots, int depth) {
    this.roots = List.copyOf(roots);
    this.depth = depth;
  }

  /**
   * What a folder was when it was listed.
   *
   * @param modified its time of change; −1 where that cannot be relied on
   * @param run whether it is that of a run
   * @param folders in it, where it is none
   */
  private record Listed(long modified, boolean run, List<Path> folders) {}

  /**
   * The folders of runs, in no order. Links are not followed, but for the roots; runs are not
   * looked for in runs.
   */
  synchronized List<Path> runs() {
    Map<Path, Listed> now = new HashMap<>();
    List<Path> found = new ArrayList<>();
    roots.forEach(root -> visit(root, depth, now, found));
    known = now;
    return found;
  }

  private void visit(Path folder, int levels, Map<Path, Listed> now, List<Path> found) {
    if (now.containsKey(folder) || now.size() >= MOST_FOLDERS) {
      return;
    }
    Listed listed = listed(folder);
    if (listed == null) {
      return;
    }
    now.put(folder, listed);
    if (listed.run()) {
      found.add(folder);
    } else if (levels > 0) {
      listed.folders().forEach(child -> visit(child, levels - 1, now, found));
    }
  }

  /** Null where it is none, or cannot be read. */
  private @Nullable Listed listed(Path folder) {
    try {
      LinkOption[] links =
          roots.contains(folder) ? new LinkOption[0] : new LinkOption[] {LinkOption.NOFOLLOW_LINKS};
      BasicFileAttributes is = Files.readAttributes(folder, BasicFileAttributes.class, links);
      if (!is.isDirectory()) {
        return null;
      }
      long modified = is.lastModifiedTime().toMillis();
      Listed before = known.get(folder);
      if (before != null && before.modified() == modified) {
        return before;
      }
      boolean racy = System.currentTimeMillis() - modified < RACY_MILLIS;
      return list(folder, racy ? -1 : modified);
    } catch (IOException | DirectoryIteratorException e) {
      return null;
    }
  }

  private static Listed list(Path folder, long modified) throws IOException {
    if (isFile(folder.resolve("config.yaml"))
        && (isFile(folder.resolve("metrics.jsonl")) || isFile(folder.resolve("run.log")))) {
      return new Listed(modified, true, List.of());
    }
    List<Path> folders = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (folders.size() < MOST_FOLDERS
            && !entry.getFileName().toString().startsWith(".")
            && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
          folders.add(entry);
        }
      }
    }
    return new Listed(modified, false, List.copyOf(folders));
  }

  private static boolean isFile(Path file) {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }
}
