package roll.deploy;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import roll.api.option.UserException;

/**
 * A jar on its way into the folder, and the files of the same symbolic name that it replaces, which
 * are kept beside the folder until it is known whether it serves.
 */
final class Replacement implements AutoCloseable {
  private final Path source;
  private final Path target;
  private final Path beside;

  /** Where each replaced file was, by where it is kept. */
  private final Map<Path, Path> kept = new LinkedHashMap<>();

  private Replacement(Path source, Path target, Path beside) {
    this.source = source;
    this.target = target;
    this.beside = beside;
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
    Path parent = folder.path().resolveSibling("");
    Replacement replacement =
        new Replacement(candidate.jar(), target, Files.createTempDirectory(parent, ".deploy-"));
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
    if (!kept.containsValue(target)) {
      Files.deleteIfExists(target);
    }
    for (Map.Entry<Path, Path> file : kept.entrySet()) {
      move(file.getKey(), file.getValue());
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Deletes what was kept. */
  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.list(beside)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(beside);
  }
}
