package roll.deploy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import roll.api.option.UserException;

/**
 * A jar on its way into the folder, and the files of the same symbolic name that it replaces, which
 * are kept beside the folder until it is known whether it serves.
 *
 * <p>A file with them is locked by this process and tells what undoes the replacement, until it is
 * settled: who finds it without its lock puts back what a process that was killed has left.
 */
final class Replacement implements AutoCloseable {
  private static final String PREFIX = ".deploy-";
  private static final String STATE = "state";
  private static final String JAR = ".jar";

  /** What the state begins with while it is not settled; the name of a file that is new follows. */
  private static final String UNDO = "undo ";

  private final Path source;
  private final Path target;
  private final Path beside;
  private final FileChannel state;
  private boolean settled = true;

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
  static Replacement of(Folder folder, Candidate candidate) throws IOException {
    Files.createDirectories(folder.path());
    Path target = folder.path().resolve(candidate.name() + ".jar");
    List<Path> old = folder.named(candidate.name()).toList();
    if (Files.exists(target) && !old.contains(target)) {
      throw new UserException(target + " is in the way: it is not a jar of " + candidate.name());
    }
    // beside the folder: on the same disk, so that a move is a rename, and out of sight
    Path beside = Files.createTempDirectory(parent(folder), PREFIX);
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
  Folder.Stamp put() throws IOException {
    Path copy = Files.copy(source, beside.resolve("new"));
    state.write(StandardCharsets.UTF_8.encode(UNDO + added()));
    for (Map.Entry<Path, Path> file : kept.entrySet()) {
      if (file.getValue().equals(target)) {
        Files.copy(target, file.getKey(), StandardCopyOption.COPY_ATTRIBUTES);
      } else {
        move(file.getValue(), file.getKey());
      }
    }
    Folder.Stamp stamp = Folder.stamp(copy);
    move(copy, target);
    return stamp;
  }

  /** Puts back what was replaced. */
  void takeBack() throws IOException {
    settled = false;
    undo(beside, Objects.requireNonNull(target.getParent()), added());
    settled = true;
  }

  /** The file that is new; empty where one is replaced. */
  private String added() {
    return kept.containsValue(target) ? "" : target.getFileName().toString();
  }

  /**
   * Puts back what processes were replacing in {@code folder} that were killed meanwhile; what one
   * is replacing now is left to it.
   *
   * @return the files that are as they were before
   */
  static List<String> undoAll(Folder folder) throws IOException {
    List<String> undone = new ArrayList<>();
    List<Path> left;
    try (Stream<Path> files = Files.list(parent(folder))) {
      left = files.filter(file -> file.getFileName().toString().startsWith(PREFIX)).toList();
    }
    for (Path beside : left) {
      // without a state it is being made, or nothing was moved
      if (Files.isRegularFile(beside.resolve(STATE))) {
        undone.addAll(undone(beside, folder.path()));
      }
    }
    return undone;
  }

  private static List<String> undone(Path beside, Path folder) throws IOException {
    try (FileChannel state =
        FileChannel.open(
            beside.resolve(STATE), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (!lock(state)) {
        return List.of();
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) state.size());
      state.read(bytes);
      String text = StandardCharsets.UTF_8.decode(bytes.flip()).toString();
      List<String> undone =
          text.startsWith(UNDO)
              ? undo(beside, folder, text.substring(UNDO.length()))
              : List.of(); // settled
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

  /** Can be done again where it was broken off; {@code added} is empty where no file was new. */
  private static List<String> undo(Path beside, Path folder, String added) throws IOException {
    List<String> undone = new ArrayList<>();
    if (!added.isEmpty()) {
      Files.deleteIfExists(folder.resolve(Path.of(added).getFileName()));
      undone.add(added);
    }
    try (Stream<Path> files = Files.list(beside)) {
      for (Path file : files.filter(f -> f.toString().endsWith(JAR)).sorted().toList()) {
        move(file, folder.resolve(file.getFileName()));
        undone.add(file.getFileName().toString());
      }
    }
    return undone;
  }

  private static Path parent(Folder folder) {
    return folder.path().resolveSibling("");
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /**
   * Deletes what was kept, so that nothing is put back from now on; what could not be put back
   * stays for the next start.
   */
  @Override
  public void close() throws IOException {
    try (state) {
      if (settled) {
        clear(beside, state);
      }
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
