package roll.workspace.container;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import roll.api.workspace.FileChange;
import roll.api.workspace.FileChange.Kind;

/**
 * The files of a workspace.
 *
 * @param files by path: mode, target of a link, hash of a regular file
 */
record FileList(Map<String, String> files) {
  private static final int HASH = 64;

  /** A regular file's mode in hexadecimal begins so, and has four digits. */
  private static final String REGULAR = "8";

  /** Lists the files of a workspace. */
  static FileList of(Container container) throws IOException {
    return parse(text(container.call(List.of("list"), container.directory())));
  }

  /**
   * Parses what {@code list.sh} prints.
   *
   * @throws IOException if a name makes it ambiguous
   */
  static FileList parse(String list) throws IOException {
    int end = list.startsWith("\0") ? 0 : list.indexOf("\0\0") + 1;
    List<String> names = end == 0 ? List.of() : List.of(list.substring(0, end).split("\0"));
    List<String> lines = new ArrayList<>(list.substring(end + 1).lines().toList());
    Map<String, String> files = new TreeMap<>();
    List<String> regular = new ArrayList<>();
    if (lines.size() < names.size()) {
      throw new IOException("the files of the workspace changed while they were listed");
    }
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i).substring("./".length());
      files.put(name, lines.get(i));
      if (lines.get(i).startsWith(REGULAR)) {
        regular.add(name);
      }
    }
    List<String> hashes = lines.subList(names.size(), lines.size());
    if (hashes.size() != regular.size()) {
      throw new IOException("the files of the workspace have names of several lines");
    }
    for (int i = 0; i < hashes.size(); i++) {
      String hash = hashes.get(i).replaceFirst("^\\\\", "").substring(0, HASH);
      files.merge(regular.get(i), hash, (mode, other) -> mode + " " + other);
    }
    return new FileList(files);
  }

  /** Returns what {@code other} has differently, sorted by path. */
  List<FileChange> changes(FileList other) {
    List<FileChange> changes = new ArrayList<>();
    TreeSet<String> paths = new TreeSet<>(files.keySet());
    paths.addAll(other.files.keySet());
    for (String path : paths) {
      if (!files.containsKey(path)) {
        changes.add(new FileChange(path, Kind.ADDED));
      } else if (!other.files.containsKey(path)) {
        changes.add(new FileChange(path, Kind.DELETED));
      } else if (!Objects.equals(files.get(path), other.files.get(path))) {
        changes.add(new FileChange(path, Kind.MODIFIED));
      }
    }
    return changes;
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
