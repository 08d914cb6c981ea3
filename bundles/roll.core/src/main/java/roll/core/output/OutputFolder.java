package roll.core.output;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/** The folder a run writes into, held by one run at a time; the lock dies with the process. */
public final class OutputFolder implements AutoCloseable {
  /** File of the first of several nodes, which exists before the run begins. */
  private static final String CLUSTER = "cluster";

  private final Path path;
  private final FolderLock lock;
  private final @Nullable Path root;
  private final Set<Path> before;

  /**
   * Creates the handle of a locked output folder.
   *
   * @param root the first folder on the way to it that was made for it; null where it was there
   * @param before what was in it before it was taken, at any depth, and itself
   */
  private OutputFolder(Path path, FolderLock lock, @Nullable Path root, Set<Path> before) {
    this.path = path;
    this.lock = lock;
    this.root = root;
    this.before = before;
  }

  /**
   * Locks the output folder for a run, creating it where needed.
   *
   * @param resume whether what is in it is continued
   * @throws UserException if it cannot be written, another run holds it, or it holds another run
   */
  public static OutputFolder take(Path path, boolean resume) {
    return take(path, resume, true);
  }

  /** Locks the output folder for work that cannot be continued later. */
  public static OutputFolder takeNew(Path path) {
    return take(path, false, false);
  }

  private static OutputFolder take(Path path, boolean resume, boolean resumable) {
    try {
      if (!resume && occupied(path)) {
        throw new UserException(
            holdsRun(path)
                + ": set "
                + (resumable ? "resume_from_checkpoint=true to continue it, or " : "")
                + "another exp_name or output_dir");
      }
      RegularFile.require(path.resolve(RunLog.NAME));
      Set<Path> before = content(path);
      Path root = firstMissing(path);
      try {
        Files.createDirectories(path);
        return new OutputFolder(path, FolderLock.take(path), root, before);
      } catch (IOException e) {
        remove(path, root, before);
        throw e;
      }
    } catch (IOException e) {
      throw new UserException(
          "output folder " + path + " cannot be written (" + IoReason.of(e) + ")", e);
    }
  }

  /**
   * Refuses an output folder that {@link #take} would refuse, without changing it.
   *
   * @throws UserException as {@link #take}
   */
  public static void requireFree(Path path, boolean resume) {
    take(path, resume).discard();
  }

  /**
   * Checks whether a run could lock the folder; leaves it unchanged. What a person may still
   * decide, such as to continue the run that is there, is a line, not a refusal.
   *
   * @throws UserException if it cannot be written
   */
  public static List<String> look(Path path, boolean resume) {
    try {
      if (!Files.exists(path)) {
        OutputFolder.take(path, resume).discard();
        return List.of();
      }
      if (occupied(path) && !resume) {
        return List.of(
            holdsRun(path)
                + ": to train needs resume_from_checkpoint=true, or another exp_name or"
                + " output_dir");
      }
      Files.delete(Files.createTempFile(path, ".roll", ".tmp"));
      return List.of();
    } catch (IOException e) {
      throw new UserException(
          "output folder " + path + " cannot be written (" + IoReason.of(e) + ")", e);
    }
  }

  private static String holdsRun(Path path) {
    return "output folder " + path + " already holds a run";
  }

  private static Set<Path> content(Path path) throws IOException {
    if (!Files.exists(path)) {
      return Set.of();
    }
    try (Stream<Path> entries = Files.walk(path)) {
      return entries.collect(Collectors.toSet());
    }
  }

  /** Returns the first folder on the way to {@code path} that does not exist, or null. */
  private static @Nullable Path firstMissing(Path path) {
    Path missing = null;
    for (Path at = path; at != null && !Files.exists(at); at = at.getParent()) {
      missing = at;
    }
    return missing;
  }

  /** Whether the folder has files other than those of a run that failed before it began. */
  private static boolean occupied(Path path) throws IOException {
    if (!Files.exists(path)) {
      return false;
    }
    if (!Files.isDirectory(path)) {
      throw new UserException("output folder " + path + " is a file");
    }
    try (Stream<Path> entries = Files.list(path)) {
      return entries.anyMatch(entry -> !isOurs(entry));
    }
  }

  private static boolean isOurs(Path entry) {
    return entry.endsWith(RunLog.NAME)
        || entry.endsWith(CLUSTER)
        || FolderLock.NAMES.stream().anyMatch(entry::endsWith);
  }

  /** Lines for the user: that the run which held the folder before did not end by itself. */
  public List<String> notices() {
    String crashed = lock.crashed();
    return crashed == null
        ? List.of()
        : List.of("process " + crashed + " did not give back " + path + " and is gone: taken over");
  }

  /** The path of the output folder. */
  public Path path() {
    return path;
  }

  /** Returns a phrase about how the folder was changed or removed, or null if it is unchanged. */
  public @Nullable String lost() {
    if (lock.holds(path)) {
      return null;
    }
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS)
        ? "was removed or replaced" // a background save may have created it again
        : "was removed";
  }

  /** Releases the output folder; files of a run that was refused before it began are deleted. */
  public void end(RunLog log) {
    log.close();
    if (log.begun()) {
      close();
    } else {
      discard();
    }
  }

  /** Releases the output folder and deletes everything written into it since it was locked. */
  void discard() {
    try {
      remove(path, root, before);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.giveBackAsItWas();
    }
  }

  /**
   * Removes the entries of {@code path} that are not in {@code kept}, then the empty folders from
   * {@code path} up to {@code root}.
   */
  private static void remove(Path path, @Nullable Path root, Set<Path> kept) throws IOException {
    for (Path entry : content(path).stream().sorted(Comparator.reverseOrder()).toList()) {
      if (!kept.contains(entry)) {
        Files.delete(entry);
      }
    }
    Path above = path.getParent();
    while (root != null && above != null && above.startsWith(root)) {
      try {
        Files.deleteIfExists(above);
      } catch (DirectoryNotEmptyException e) {
        return;
      }
      above = above.getParent();
    }
  }

  @Override
  public void close() {
    lock.close();
  }
}
