package roll.deploy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.option.UserException;
import roll.text.OneLine;

/**
 * Puts a jar into the folder and keeps the replaced files of the same symbolic name in a hidden
 * folder there until the new bundle is accepted.
 *
 * <p>A state file next to them describes how to undo the replacement and is locked by this process.
 * A process that finds it unlocked undoes the replacement of a killed process.
 */
final class Replacement implements AutoCloseable {
  private static final String PREFIX = ".deploy-";
  private static final String STATE = "state";
  private static final int LONGEST_STATE = 1024;
  private static final Logger LOG = LoggerFactory.getLogger("roll.deploy");

  private final Path source;
  private final Path target;
  private final Path beside;
  private final FileChannel state;

  /** Undoes the replacement on close(); null before files are moved and after settling. */
  private @Nullable Rollback rollback;

  /** Original path of each replaced file by its path in the hidden folder of replaced files. */
  private final Map<Path, Path> kept = new LinkedHashMap<>();

  private Replacement(Path source, Path target, Path beside) throws IOException {
    this.source = source;
    this.target = target;
    this.beside = beside;
    this.state =
        FileChannel.open(
            beside.resolve(STATE), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    FileLock unused = state.lock();
  }

  /**
   * Prepares the replacement of the files in {@code folder} with the candidate's symbolic name.
   *
   * @throws UserException if another bundle's jar has the target file name
   */
  static Replacement of(DeployFolder folder, CandidateJar candidate) throws IOException {
    Files.createDirectories(folder.path());
    Path target = folder.path().resolve(candidate.name() + ".jar");
    List<Path> old = folder.named(candidate.name()).toList();
    if (Files.exists(target) && !old.contains(target)) {
      throw new UserException(target + " already exists and is not a jar of " + candidate.name());
    }
    // inside the folder: same file system, so that moves are renames, and same owner
    Path beside = Files.createTempDirectory(folder.path(), PREFIX);
    Replacement replacement = new Replacement(candidate.jar(), target, beside);
    for (Path file : old) {
      replacement.kept.put(replacement.beside.resolve(file.getFileName()), file);
    }
    return replacement;
  }

  /** Returns the target file, named by symbolic name so that the next version replaces it. */
  Path target() {
    return target;
  }

  /** Returns whether a file was replaced. */
  boolean hasOldest() {
    return !kept.isEmpty();
  }

  /** Returns a replaced file that {@link #takeBack} restores; there must be one. */
  Path oldest() {
    return kept.values().iterator().next();
  }

  /** Puts the jar into the folder atomically; returns its size and time. */
  DeployFolder.Stamp put() throws IOException {
    Path copy = Files.copy(source, beside.resolve("new"));
    DeployFolder.Stamp stamp = DeployFolder.stamp(copy);
    for (Map.Entry<Path, Path> file : kept.entrySet()) {
      if (file.getValue().equals(target)) {
        Files.copy(target, file.getKey(), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    // only after all copies are complete: partial copies must not be restored
    Rollback undo = new Rollback(target.getFileName().toString(), stamp);
    state.write(StandardCharsets.UTF_8.encode(undo.text()));
    rollback = undo;
    for (Map.Entry<Path, Path> file : kept.entrySet()) {
      if (!file.getValue().equals(target)) {
        Files.move(file.getValue(), file.getKey(), StandardCopyOption.ATOMIC_MOVE);
      }
    }
    Files.move(copy, target, StandardCopyOption.ATOMIC_MOVE);
    return stamp;
  }

  /** Deletes the replaced files, so that the replacement is permanent. */
  void settle() {
    rollback = null;
  }

  /** Restores the replaced files, unless settled. */
  void takeBack() throws IOException {
    if (rollback != null) {
      rollback.run(beside, Objects.requireNonNull(target.getParent()));
      settle();
    }
  }

  /**
   * Undoes the replacements in {@code folder} of processes that were killed; those of running
   * processes are left alone.
   *
   * @return restored files
   */
  static List<String> undoAll(DeployFolder folder) throws IOException {
    List<String> undone = new ArrayList<>();
    List<Path> left;
    try (Stream<Path> files = Files.list(folder.path())) {
      left = files.filter(file -> file.getFileName().toString().startsWith(PREFIX)).toList();
    }
    for (Path beside : left) {
      try {
        undone.addAll(undone(beside, folder.path()));
      } catch (IOException | RuntimeException e) {
        LOG.warn(
            "cannot restore files from {}, left by a killed process: {}", beside, OneLine.of(e));
      }
    }
    return undone;
  }

  private static List<String> undone(Path beside, Path folder) throws IOException {
    Path file = beside.resolve(STATE);
    if (!Files.isDirectory(beside, LinkOption.NOFOLLOW_LINKS)
        || !Files.getOwner(beside).equals(Files.getOwner(folder))) {
      throw new IOException("it is not owned by " + Files.getOwner(folder).getName());
    }
    if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
      return List.of(); // just created, or nothing was moved
    }
    try (FileChannel state =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (!lock(state)) {
        return List.of();
      }
      ByteBuffer bytes = ByteBuffer.allocate(LONGEST_STATE);
      state.read(bytes);
      Optional<Rollback> rollback =
          Rollback.parse(StandardCharsets.UTF_8.decode(bytes.flip()).toString());
      List<String> undone = rollback.isPresent() ? rollback.get().run(beside, folder) : List.of();
      clear(beside, state);
      return undone;
    }
  }

  private static boolean lock(FileChannel state) throws IOException {
    try {
      return state.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // in use by this process
    }
  }

  /**
   * Restores the replaced files, unless settled, and deletes the hidden folder; files that cannot
   * be restored stay for the next start.
   */
  @Override
  public void close() throws IOException {
    try (state) {
      takeBack();
      clear(beside, state);
    }
  }

  private static void clear(Path beside, FileChannel state) throws IOException {
    state.truncate(0);
    try (Stream<Path> files = Files.list(beside)) {
      for (Path file : files.filter(f -> !f.endsWith(STATE)).toList()) {
        Files.delete(file);
      }
    }
    Files.delete(beside.resolve(STATE));
    Files.delete(beside);
  }
}
