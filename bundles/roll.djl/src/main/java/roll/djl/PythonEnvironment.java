package roll.djl;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Python environment on disk. It is only read; no code of it is run.
 *
 * @param named its folder, or a Python executable in it
 */
record PythonEnvironment(Path named) {
  private static final Pattern VERSION = Pattern.compile("python(3\\.\\d+)(\\.exe)?");
  private static final Pattern KEY = Pattern.compile("\\s*([a-z-]+)\\s*=\\s*(.*?)\\s*");

  /** Returns the distinct package folders in Python's order; empty if it is no environment. */
  List<Path> packages() {
    Path root = root();
    Set<Path> found = new LinkedHashSet<>(under(root));
    Path config = root.resolve("pyvenv.cfg");
    if (Files.isRegularFile(config) && value(config, "include-system-site-packages", "true")) {
      home(config).map(PythonEnvironment::above).forEach(base -> found.addAll(under(base)));
    }
    return List.copyOf(found);
  }

  /** Returns the {@code torch} folders in the Python environments. */
  List<Path> torches() {
    return packages().stream()
        .map(folder -> folder.resolve("torch"))
        .filter(torch -> Files.isRegularFile(torch.resolve("version.py")))
        .toList();
  }

  private Path root() {
    if (Files.isDirectory(named)) {
      return named;
    }
    Path folder = above(named.toAbsolutePath().normalize());
    return String.valueOf(folder.getFileName()).matches("(?i)bin|scripts") ? above(folder) : folder;
  }

  private static Path above(Path path) {
    Path parent = path.getParent();
    return parent == null ? path : parent;
  }

  private List<Path> under(Path root) {
    List<Path> found = new ArrayList<>();
    String version = version();
    for (String libraries : List.of("local/lib", "lib", "lib64")) {
      for (Path python : entries(root.resolve(libraries), "python3*")) {
        String name = python.getFileName().toString();
        if (version.isEmpty() || name.equals("python3") || name.equals("python" + version)) {
          found.add(python.resolve("site-packages"));
          found.add(python.resolve("dist-packages"));
        }
      }
    }
    found.add(root.resolve("Lib").resolve("site-packages"));
    return found.stream()
        .filter(Files::isDirectory)
        .map(PythonEnvironment::real)
        .distinct()
        .toList();
  }

  /** Returns the version, such as {@code 3.12}, from the name of the executable or its link. */
  private String version() {
    if (!Files.isRegularFile(named)) {
      return "";
    }
    for (Path file : List.of(named, real(named))) {
      Matcher name = VERSION.matcher(file.getFileName().toString().toLowerCase(Locale.ROOT));
      if (name.matches()) {
        return name.group(1);
      }
    }
    return "";
  }

  private static boolean value(Path config, String key, String value) {
    return values(config, key).anyMatch(found -> found.equalsIgnoreCase(value));
  }

  private static Stream<Path> home(Path config) {
    return values(config, "home").map(Path::of);
  }

  private static Stream<String> values(Path config, String key) {
    try {
      return Files.readAllLines(config).stream()
          .map(KEY::matcher)
          .filter(line -> line.matches() && line.group(1).equals(key))
          .map(line -> line.group(2));
    } catch (IOException unreadable) {
      return Stream.of();
    }
  }

  private static List<Path> entries(Path folder, String glob) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
      List<Path> found = new ArrayList<>();
      entries.forEach(found::add);
      return found.stream().sorted().toList();
    } catch (IOException unreadable) {
      return List.of();
    }
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException gone) {
      return path;
    }
  }
}
