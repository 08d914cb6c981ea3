package roll.cnf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Lines of Java without comments and blank lines, by bundle. In the root of the repository, {@code
 * java cnf/src/test/java/roll/cnf/CodeLines.java} writes them to {@code cnf/lines.txt}.
 *
 * @param code lines of the bundle itself
 * @param tests lines of its tests
 */
record CodeLines(long code, long tests) {
  /** Name of the row with the total. */
  static final String ALL = "all";

  private static final String HEADER =
      """
      # Lines of Java without comments and blank lines: bundle, main, test. HouseTest fails where a bundle has 2 % more, and at
      # least 30 lines. Written by: java cnf/src/test/java/roll/cnf/CodeLines.java
      """;

  static void main() throws IOException {
    Path root = Path.of("");
    StringBuilder text = new StringBuilder(HEADER).append('\n');
    counted(root)
        .forEach((name, lines) -> text.append(name + " " + lines.code + " " + lines.tests + "\n"));
    Files.writeString(file(root), text);
  }

  private static Path file(Path root) {
    return root.resolve("cnf/lines.txt");
  }

  /** Returns the budgets in {@code cnf/lines.txt}. */
  static Map<String, CodeLines> allowed(Path root) throws IOException {
    Map<String, CodeLines> allowed = new TreeMap<>();
    for (String line : Files.readAllLines(file(root))) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] row = line.split(" ", -1);
        allowed.put(row[0], new CodeLines(Long.parseLong(row[1]), Long.parseLong(row[2])));
      }
    }
    return allowed;
  }

  /** Counts the lines of all bundles, build plugins and {@code cnf} itself. */
  static Map<String, CodeLines> counted(Path root) throws IOException {
    Map<String, CodeLines> counted = new TreeMap<>();
    CodeLines all = new CodeLines(0, 0);
    for (Path module : modules(root)) {
      CodeLines own = of(module);
      counted.put(module.getFileName().toString(), own);
      all = new CodeLines(all.code + own.code, all.tests + own.tests);
    }
    counted.put(ALL, all);
    return counted;
  }

  private static List<Path> modules(Path root) throws IOException {
    List<Path> modules = new ArrayList<>(List.of(root.resolve("cnf")));
    for (String shelf :
        List.of("cnf", "bundles", "envs-bundles", "estimators-bundles", "strategies-bundles")) {
      try (Stream<Path> folders = Files.list(root.resolve(shelf))) {
        folders
            .filter(folder -> Files.exists(folder.resolve("pom.xml")))
            .filter(folder -> Files.isDirectory(folder.resolve("src")))
            .forEach(modules::add);
      }
    }
    return modules;
  }

  private static CodeLines of(Path module) throws IOException {
    Path tests = module.resolve("src/test");
    long main = 0;
    long test = 0;
    try (Stream<Path> files = Files.walk(module.resolve("src"))) {
      for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        if (file.startsWith(tests)) {
          test += in(file);
        } else {
          main += in(file);
        }
      }
    }
    return new CodeLines(main, test);
  }

  private static long in(Path file) throws IOException {
    long lines = 0;
    boolean comment = false;
    boolean text = false;
    for (String line : Files.readAllLines(file)) {
      String code = line.strip();
      if (!text && !comment) {
        comment = code.startsWith("/*");
      }
      boolean counts = !comment && !code.isEmpty() && (text || !code.startsWith("//"));
      lines += counts ? 1 : 0;
      if (comment) {
        comment = !code.contains("*/");
      } else if (counts && code.split("\"\"\"", -1).length % 2 == 0) {
        text = !text;
      }
    }
    return lines;
  }

  /** Describes the lines above {@code allowed}; empty within the tolerance. */
  String beyond(String bundle, CodeLines allowed) {
    return beyond(bundle, "main", code, allowed.code)
        + beyond(bundle, "test", tests, allowed.tests);
  }

  private static String beyond(String bundle, String kind, long lines, long allowed) {
    return lines <= allowed + Math.max(30, allowed / 50)
        ? ""
        : "%s has %d lines of code in %s, cnf/lines.txt has %d: raise it in the same commit with a line why%n"
            .formatted(bundle, lines, kind, allowed);
  }
}
