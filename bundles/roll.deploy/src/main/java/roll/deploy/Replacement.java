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
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.option.UserException;
import roll.text.OneLine;

/**
 * Puts jars into the folder, one after the other, and keeps the replaced files of the same symbolic
 * names in a hidden folder there until all new bundles are accepted.
 *
 * <p>A state file next to them describes how to undo the replacement and is locked by this process.
 * A process that finds it unlocked undoes the replacement of a killed process.
 */
final class Replacement implements AutoCloseable {
  private static final String PREFIX = ".deploy-";
  private static final String STATE = "state";
  private static final int LONGEST_STATE = 1 << 20;
  private static final Logger LOG = LoggerFactory.getLogger("roll.deploy");

  private final Path folder;
  private final Path beside;
  private final FileChannel state;
  private final List<Part> parts = new ArrayList<>();

  /** Undone in reverse order on close(); empty before files are moved and after settling. */
  private final List<Rollback> rollbacks = new ArrayList<>();

  private Replacement(Path folder, Path beside) throws IOException {
    this.folder = folder;
    this.beside = beside;
    this.state =
        FileChannel.open(
            beside.resolve(STATE), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    FileLock unused = state.lock();
  }

  /**
   * One of the jars.
   *
   * @param source jar that is put into the folder
   * @param target there, named by symbolic name so that the next version replaces it
   * @param old files that it replaces
   */
  record Part(Path source, Path target, List<Path> old) {
    /** Returns the file to look at after {@link #takeBack}: a replaced one, or the target. */
    Path restored() {
      return old.isEmpty() ? target : old.getFirst();
    }
  }

  /**
   * Prepares the replacement of the files in {@code folder} with the candidates' symbolic names.
   *
   * @throws UserException if another bundle's jar has a target file name
   */
  static Replacement of(DeployFolder folder, List<CandidateJar> candidates) throws IOException {
    Files.createDirectories(folder.path());
    List<Part> parts = new ArrayList<>();
    for (CandidateJar candidate : candidates) {
      Path target = folder.path().resolve(candidate.name() + ".jar");
      List<Path> old = folder.named(candidate.name()).toList();
      if (Files.exists(target) && !old.contains(target)) {
        throw new UserException(target + " already exists and is not a jar of " + candidate.name());
      }
      parts.add(new Part(candidate.jar(), target, old));
    }
    // inside the folder: same file system, so that moves are renames, and same owner
    Path beside = Files.createTempDirectory(folder.path(), PREFIX);
    Replacement replacement = new Replacement(folder.path(), beside);
    replacement.parts.addAll(parts);
    return replacement;
  }

  /** Returns the jars in the order of the candidates. */
  List<Part> parts() {
    return List.copyOf(parts);
  }

  /** Puts a jar into the folder atomically; returns its size and time. */
  DeployFolder.Stamp put(Part part) throws IOException {
    Path target = part.target();
    Path copy = Files.copy(part.source(), beside.resolve("new"));
    DeployFolder.Stamp stamp = DeployFolder.stamp(copy);
    Path partial = beside.resolve("older");
    if (part.old().contains(target)) {
      Files.copy(target, partial, StandardCopyOption.COPY_ATTRIBUTES);
    }
    // only after all copies are complete: partial copies must not be restored
    Rollback undo = new Rollback(target.getFileName().toString(), stamp);
    state.write(StandardCharsets.UTF_8.encode(undo.text()));
    rollbacks.add(undo);
    if (part.old().contains(target)) {
      // before any other move: without it an undo takes the target for another program's
      Files.move(partial, beside.resolve(target.getFileName()), StandardCopyOption.ATOMIC_MOVE);
    }
    for (Path file : part.old()) {
      if (!file.equals(target)) {
        Files.move(file, beside.resolve(file.getFileName()), StandardCopyOption.ATOMIC_MOVE);
      }
    }
    Files.move(copy, target, StandardCopyOption.ATOMIC_MOVE);
    return stamp;
  }

  /** Deletes the replaced files, so that the replacement is permanent. */
  void settle() {
    rollbacks.clear();
  }

  /** Restores the replaced files, unless settled. */
  void takeBack() throws IOException {
    for (Rollback rollback : rollbacks.reversed()) {
      rollback.run(beside, folder);
    }
    settle();
  }

  /**
   * Undoes the replacements in {@code folder} of processes that were killed; those of running
   * processes are left alone.
   *
   * @return restored files
   */
  static List<String> undoAll(DeployFolder folder) throws IOException {
    List<String> undone = new ArrayList<>();
    if (!Files.isDirectory(folder.path())) {
      return undone;
    }
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
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(state.size(), LONGEST_STATE));
      state.read(bytes);
      String text = StandardCharsets.UTF_8.decode(bytes.flip()).toString();
      List<String> undone = new ArrayList<>();
      for (Rollback rollback : Rollback.parse(text).reversed()) {
        undone.addAll(rollback.run(beside, folder));
      }
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
