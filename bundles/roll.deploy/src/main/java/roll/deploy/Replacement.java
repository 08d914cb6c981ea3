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
 * A jar on its way into the folder, and the files of the same symbolic name that it replaces, which
 * are kept in a hidden folder there until it is known whether it serves.
 *
 * <p>A file with them is locked by this process and tells what undoes the replacement, until it is
 * settled: who finds it without its lock puts back what a process that was killed has left.
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

  /** What close() undoes; null before anything is moved and from when it is settled. */
  private @Nullable Rollback rollback;

  /** Where each replaced file was, by where it is kept. */
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
   * A replacement of what {@code folder} has of the candidate's name.
   *
   * @throws UserException if another bundle's jar has the file name it would get
   */
  static Replacement of(DeployFolder folder, CandidateJar candidate) throws IOException {
    Files.createDirectories(folder.path());
    Path target = folder.path().resolve(candidate.name() + ".jar");
    List<Path> old = folder.named(candidate.name()).toList();
    if (Files.exists(target) && !old.contains(target)) {
      throw new UserException(target + " is in the way: it is not a jar of " + candidate.name());
    }
    // in the folder: on the same disk, so that a move is a rename, and only its owner writes there
    Path beside = Files.createTempDirectory(folder.path(), PREFIX);
    Replacement replacement = new Replacement(candidate.jar(), target, beside);
    for (Path file : old) {
      replacement.kept.put(replacement.beside.resolve(file.getFileName()), file);
    }
    return replacement;
  }

  /** Where the jar goes: named by its symbolic name, so that its next version replaces it. */
  Path target() {
    return target;
  }

  /** Whether a file was replaced. */
  boolean hasOldest() {
    return !kept.isEmpty();
  }

  /** A file that was replaced and is put back by {@link #takeBack}; there is one. */
  Path oldest() {
    return kept.values().iterator().next();
  }

  /** Puts the jar into the folder, whole at once; says what tells it from what was there. */
  DeployFolder.Stamp put() throws IOException {
    Path copy = Files.copy(source, beside.resolve("new"));
    DeployFolder.Stamp stamp = DeployFolder.stamp(copy);
    for (Map.Entry<Path, Path> file : kept.entrySet()) {
      if (file.getValue().equals(target)) {
        Files.copy(target, file.getKey(), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    // only now, when all copies are whole: what a killed process has copied in part is not put back
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

  /** Nothing is put back any more. */
  void settle() {
    rollback = null;
  }

  /** Puts back what was replaced, unless it is settled. */
  void takeBack() throws IOException {
    if (rollback != null) {
      rollback.run(beside, Objects.requireNonNull(target.getParent()));
      settle();
    }
  }

  /**
   * Puts back what processes were replacing in {@code folder} that were killed meanwhile; what one
   * is replacing now is left to it.
   *
   * @return the files that are as they were before
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
        LOG.warn("what a killed deploy has left in {} stays there: {}", beside, OneLine.of(e));
      }
    }
    return undone;
  }

  private static List<String> undone(Path beside, Path folder) throws IOException {
    Path file = beside.resolve(STATE);
    if (!Files.isDirectory(beside, LinkOption.NOFOLLOW_LINKS)
        || !Files.getOwner(beside).equals(Files.getOwner(folder))) {
      throw new IOException("it is no folder of " + Files.getOwner(folder).getName());
    }
    if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
      return List.of(); // it is being made, or nothing was moved
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
      return false; // this process replaces it
    }
  }

  /**
   * Puts back what was replaced, unless it is settled, and deletes what was kept; what could not be
   * put back stays for the next start.
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
