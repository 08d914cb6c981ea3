package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of bundles, packages and commands are complete. */
class ReadmesTest {
  private static final Path ROOT = HouseTest.ROOT;
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern NAME = Pattern.compile("`(…?[\\w.]+)`");
  private static final Pattern COMMAND =
      Pattern.compile("@RollCommand\\(\\s*function = \"(\\w+)\"");

  @Test
  void everyBundleHasOneRow() throws IOException {
    Map<String, List<String>> rows = new TreeMap<>();
    for (Path bundle : HouseTest.bundles()) {
      if (bundle.getParent().endsWith("bundles")) {
        rows.put(bundle.getFileName().toString(), new ArrayList<>());
      }
    }
    List<String> unknown = new ArrayList<>();
    for (String line : Files.readAllLines(ROOT.resolve("bundles/README.md"))) {
      Matcher name = NAME.matcher(line.replace(".*`", ".`"));
      while (line.startsWith("| ") && name.find()) {
        String written = name.group(1);
        List<String> named =
            rows.keySet().stream()
                .filter(written.endsWith(".") ? b -> b.startsWith(written) : written::equals)
                .toList();
        named.forEach(bundle -> rows.get(bundle).add(written));
        if (named.isEmpty()) {
          unknown.add(written);
        }
      }
    }
    assertTrue(rows.size() > 60, () -> "found only " + rows.keySet());
    rows.forEach((bundle, names) -> names.removeIf(n -> names.contains(bundle) && n.endsWith(".")));
    rows.values().removeIf(names -> names.size() == 1);
    assertEquals(Map.of(), rows, "bundles without a row, or with several");
    assertEquals(List.of(), unknown);
  }

  /** A table of packages has all packages of its bundle. */
  @Test
  void tablesOfPackagesHaveAllOfThem() throws IOException {
    Map<String, Set<String>> written = new TreeMap<>();
    Map<String, Set<String>> there = new TreeMap<>();
    for (Path bundle : HouseTest.bundles()) {
      String name = bundle.getFileName().toString();
      Set<String> named = packages(bundle.resolve("README.md"), name);
      if (!named.isEmpty()) {
        written.put(name, named);
        there.put(name, packages(bundle.resolve("src/main/java")));
      }
    }
    assertTrue(written.size() > 6, () -> "found only " + written.keySet());
    assertEquals(lines(there), lines(written));
  }

  private static String lines(Map<String, Set<String>> packages) {
    StringBuilder lines = new StringBuilder();
    packages.forEach((bundle, names) -> lines.append(bundle + " " + names + "\n"));
    return lines.toString();
  }

  /**
   * Returns the packages in tables whose first column is package; {@code ….x} is relative to the
   * bundle.
   */
  private static Set<String> packages(Path readme, String bundle) throws IOException {
    Set<String> named = new TreeSet<>();
    boolean table = false;
    for (String line : Files.readAllLines(readme)) {
      String[] cells = line.split("\\|", -1);
      String first = cells.length < 3 ? "" : cells[1].strip();
      table = !first.isEmpty() && (table || first.toLowerCase(Locale.ROOT).equals("package"));
      Matcher name = CODE.matcher(table ? first : "");
      String before = bundle;
      while (name.find()) {
        String written = name.group(1).replace("…", bundle);
        boolean whole = written.startsWith("roll.");
        before = whole ? written : before.substring(0, before.lastIndexOf('.') + 1) + written;
        named.add(before);
      }
    }
    return named;
  }

  private static Set<String> packages(Path sources) throws IOException {
    Set<String> packages = new TreeSet<>();
    try (Stream<Path> files = Files.walk(sources)) {
      files
          .filter(file -> file.toString().endsWith(".java"))
          .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
          .forEach(packages::add);
    }
    return packages;
  }

  @Test
  void thePageOfCommandsHasAllOfThem() throws IOException {
    Set<String> there = new TreeSet<>();
    for (Path bundle : HouseTest.bundles()) {
      if (!HouseTest.TESTS.contains(bundle.getFileName().toString())) {
        there.addAll(commands(bundle.resolve("src/main/java")));
      }
    }
    Set<String> named = new TreeSet<>();
    for (String line : Files.readAllLines(ROOT.resolve("docs/commands.md"))) {
      Matcher command = CODE.matcher(line.startsWith("| `") ? line.split(" \\| ", 2)[0] : "");
      while (command.find()) {
        named.add(command.group(1).replaceFirst(" .*", ""));
      }
    }
    assertTrue(there.size() > 30, () -> "found only " + there);
    assertEquals(there, named);
  }

  private static Set<String> commands(Path sources) throws IOException {
    Set<String> commands = new TreeSet<>();
    if (!Files.isDirectory(sources)) {
      return commands; // only repackages a library
    }
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(f -> f.toString().endsWith("Command.java")).toList()) {
        String text = Files.readString(file);
        COMMAND.matcher(text).results().forEach(found -> commands.add(found.group(1)));
      }
    }
    return commands;
  }
}
