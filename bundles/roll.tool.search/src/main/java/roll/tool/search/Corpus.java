package roll.tool.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import roll.api.option.PlainFile;
import roll.api.option.UserException;

/**
 * The current state of the searched files. Two are equal if their files have equal paths, sizes and
 * times and are parsed alike.
 *
 * @param where the option with the files, for messages
 * @param files the files in the given order, those of a folder by name
 * @param fields fields of JSON objects: the first is the title, the others are the text
 */
record Corpus(String where, List<Stamp> files, List<String> fields) {
  private static final List<String> KINDS = List.of(".json", ".jsonl", ".txt", ".md");

  /** A file with its size in bytes and its modification time in ms since 1970. */
  record Stamp(Path file, long size, long time) {}

  /**
   * Lists the files {@code names}; of a folder recursively those of readable types.
   *
   * @throws UserException if one is missing or of another type, or a folder has none
   */
  static Corpus of(String where, List<String> names, List<String> fields) {
    List<Stamp> stamps = new ArrayList<>();
    for (String name : names) {
      Path path = Path.of(name).toAbsolutePath().normalize();
      if (!Files.exists(path)) {
        throw new UserException(where + ": '" + name + "' is not there");
      }
      List<Path> found = Files.isDirectory(path) ? inside(path) : List.of(PlainFile.require(path));
      if (found.isEmpty() || !found.stream().allMatch(Corpus::readable)) {
        throw new UserException(
            where + ": '" + name + "' is no file, or folder with files, of " + KINDS);
      }
      found.forEach(file -> stamps.add(stamp(file)));
    }
    if (stamps.isEmpty()) {
      throw new UserException(where + ": expected at least one file");
    }
    return new Corpus(where, List.copyOf(stamps), fields);
  }

  private static List<Path> inside(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).filter(Corpus::readable).sorted().toList();
    } catch (IOException | UncheckedIOException e) {
      throw new UserException(folder + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static boolean readable(Path file) {
    return KINDS.stream().anyMatch(kind -> lower(file).endsWith(kind));
  }

  private static String lower(Path file) {
    return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
  }

  private static Stamp stamp(Path file) {
    try {
      BasicFileAttributes facts = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(file, facts.size(), facts.lastModifiedTime().toMillis());
    } catch (IOException e) {
      throw new UserException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Passes every passage to {@code reader}, in order.
   *
   * @throws UserException with the file and line that cannot be read
   */
  void read(Consumer<Passage> reader) {
    for (Stamp stamp : files) {
      if (lower(stamp.file()).contains(".json")) {
        JsonPassages.read(stamp.file(), fields, reader);
      } else {
        TextPassages.read(stamp.file(), reader);
      }
    }
  }

  /** Returns a text that identifies this corpus. */
  String fingerprint() {
    return fields + "\n" + files;
  }
}
