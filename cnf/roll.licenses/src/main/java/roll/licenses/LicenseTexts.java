package roll.licenses;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The license texts in a library's jar and in {@code licenses/}. */
final class LicenseTexts {
  private static final Pattern CARRIED =
      Pattern.compile(
          "(.*[/-])?(LICEN[CS]E|NOTICE|COPYING|AL2\\.0|LGPL2\\.1)(\\.[\\w.-]+)?",
          Pattern.CASE_INSENSITIVE);

  private final Path folder;

  /** Creates the texts of the folder {@code licenses}; the text of Apache-2.0 is next to it. */
  LicenseTexts(Path folder) {
    this.folder = folder;
  }

  /**
   * Returns the required texts of {@code library} by path.
   *
   * @throws IOException if a license has no text
   */
  Map<String, byte[]> of(Library library) throws IOException {
    Map<String, byte[]> texts = new TreeMap<>();
    for (String license : library.family().licenses()) {
      for (String name : standards(license)) {
        texts.put(name + ".txt", Files.readAllBytes(standard(name)));
      }
    }
    Map<String, byte[]> own = carried(library);
    for (String name : List.of(library.artifact(), library.group())) {
      Path text = folder.resolve(name + ".txt");
      if (Files.exists(text)) {
        own.put("LICENSE.txt", Files.readAllBytes(text));
      }
    }
    own.forEach((name, text) -> texts.put(library.folder() + "/" + name, text));
    for (String license : library.family().licenses()) {
      if (standards(license).isEmpty() && own.isEmpty()) {
        throw new IOException(
            library.name()
                + ": the text of its license "
                + license
                + " is neither in its jar nor in licenses/ ("
                + library.artifact()
                + ".txt or "
                + license
                + ".txt)");
      }
    }
    return texts;
  }

  /** Returns the standard texts of {@code license}. */
  private List<String> standards(String license) {
    List<String> names = new ArrayList<>();
    for (String part : license.split(" WITH ", -1)) {
      names.add(part.replaceAll("-(only|or-later)$", ""));
    }
    if (names.contains("LGPL-3.0")) {
      names.add("GPL-3.0"); // referenced by the former
    }
    names.removeIf(name -> !Files.exists(standard(name)));
    return names;
  }

  private Path standard(String name) {
    return name.equals("Apache-2.0")
        ? folder.resolveSibling("LICENSE")
        : folder.resolve(name + ".txt");
  }

  /** Returns licenses and notices in the jar, except exact copies of a standard text. */
  private Map<String, byte[]> carried(Library library) throws IOException {
    List<String> known = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : Stream.concat(files, Stream.of(folder.resolveSibling("LICENSE"))).toList()) {
        known.add(letters(Files.readAllBytes(file)));
      }
    }
    Map<String, byte[]> found = new TreeMap<>();
    try (JarFile jar = new JarFile(library.jar().toFile())) {
      for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
        if (isText(entry.getName())) {
          try (InputStream in = jar.getInputStream(entry)) {
            byte[] text = in.readAllBytes();
            if (!known.contains(letters(text))) {
              found.put(entry.getName().replaceFirst("^META-INF/", ""), text);
            }
          }
        }
      }
    }
    return found;
  }

  private static boolean isText(String name) {
    return CARRIED.matcher(name).matches() && !name.endsWith(".class") && !name.endsWith("/");
  }

  private static String letters(byte[] text) {
    return new String(text, StandardCharsets.UTF_8).replaceAll("[^A-Za-z0-9]+", "");
  }
}
