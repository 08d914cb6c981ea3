package roll.shell.create;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;

/**
 * The template of a plugin project for the command {@code new}. Names in double braces, in files
 * and paths, are replaced by values: only Mustache's variables, so that Bndtools reads the same
 * files.
 *
 * @param files content by path
 */
public record ProjectTemplate(Map<String, String> files) {
  /** Prefix of the files that only Bndtools reads. */
  private static final String SETTINGS = "_";

  /** Returns the template in {@code folder} of a bundle. */
  public static ProjectTemplate of(Bundle bundle, String folder) throws IOException {
    Map<String, String> files = new TreeMap<>();
    Enumeration<URL> entries = bundle.findEntries(folder, "*", true);
    for (URL entry : entries == null ? Collections.<URL>emptyList() : Collections.list(entries)) {
      String path = entry.getPath().substring(entry.getPath().indexOf(folder) + folder.length());
      if (!path.endsWith("/")) {
        try (InputStream in = entry.openStream()) {
          files.put(path.substring(1), new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    }
    return new ProjectTemplate(files);
  }

  /** Returns the template in a folder on disk. */
  static ProjectTemplate of(Path folder) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(folder.relativize(file).toString(), Files.readString(file));
      }
    }
    return new ProjectTemplate(files);
  }

  /**
   * Writes the project into {@code folder}, which is missing or empty, atomically.
   *
   * @param values by name
   */
  public void write(Path folder, Map<String, String> values) throws IOException {
    Path parent = folder.toAbsolutePath().getParent();
    Files.createDirectories(parent);
    Path draft = Files.createTempDirectory(parent, ".new-");
    for (Map.Entry<String, String> file : files.entrySet()) {
      if (!file.getKey().startsWith(SETTINGS)) {
        Path target = draft.resolve(fill(file.getKey(), values));
        Files.createDirectories(target.getParent());
        Files.writeString(target, fill(file.getValue(), values));
      }
    }
    Files.setPosixFilePermissions(
        draft, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.deleteIfExists(folder); // an empty one
    Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String fill(String text, Map<String, String> values) {
    String filled = text;
    for (Map.Entry<String, String> value : values.entrySet()) {
      filled = filled.replace("{{" + value.getKey() + "}}", value.getValue());
    }
    return filled;
  }
}
