import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Runs google-java-format over the Java sources that have changed since they were last formatted,
 * on the JDK that runs this file. Formatted sources are recorded next to the formatter's jar by
 * path, size and time of change.
 */
class Format {
  private static final List<String> FOLDERS =
      List.of(
          "bundles", "envs-bundles", "estimators-bundles", "strategies-bundles", "launch", "cnf");

  private static final List<String> COMPILER_PACKAGES =
      List.of("api", "code", "file", "main", "parser", "tree", "util");

  static void main(String[] arguments) throws IOException, InterruptedException {
    Path jar = Path.of(arguments[0]);
    String mode = arguments[1];
    Path formatted = jar.resolveSibling("formatted");
    Set<String> known =
        Files.exists(formatted) ? new HashSet<>(Files.readAllLines(formatted)) : Set.of();
    List<Path> sources = sources();
    List<Path> changed = new ArrayList<>();
    for (Path source : sources) {
      if (!known.contains(state(jar, source))) {
        changed.add(source);
      }
    }
    if (changed.isEmpty()) {
      return;
    }
    int status = format(jar, mode, changed);
    if (status != 0) {
      System.err.println("The files above are not formatted: run `./dev format`.");
      System.exit(status);
    }
    List<String> states = new ArrayList<>();
    for (Path source : sources) {
      states.add(state(jar, source));
    }
    Path written = jar.resolveSibling("formatted." + ProcessHandle.current().pid());
    Files.write(written, states);
    Files.move(written, formatted, StandardCopyOption.REPLACE_EXISTING);
  }

  private static int format(Path jar, String mode, List<Path> sources)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.add("-XX:TieredStopAtLevel=1");
    for (String name : COMPILER_PACKAGES) {
      command.add("--add-exports=jdk.compiler/com.sun.tools.javac." + name + "=ALL-UNNAMED");
    }
    command.addAll(List.of("-jar", jar.toString(), mode));
    if (mode.equals("--dry-run")) {
      command.add("--set-exit-if-changed");
    }
    sources.forEach(source -> command.add(source.toString()));
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String folder : FOLDERS) {
      try (Stream<Path> files = Files.walk(Path.of(folder))) {
        files
            .filter(
                file -> {
                  String name = file.toString();
                  return name.endsWith(".java")
                      && !name.contains("/target/")
                      && !name.contains("{{");
                })
            .sorted()
            .forEach(sources::add);
      }
    }
    return sources;
  }

  /** Returns a text that changes with {@code source} and the formatter. */
  private static String state(Path jar, Path source) throws IOException {
    return String.join(
        " ",
        source.toString(),
        String.valueOf(Files.size(source)),
        String.valueOf(Files.getLastModifiedTime(source).toMillis()),
        String.valueOf(Files.size(jar)));
  }
}
