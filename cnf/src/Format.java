import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs google-java-format over every Java source of the tree, on the JDK that starts this file. */
class Format {
  private static final List<String> FOLDERS =
      List.of(
          "bundles", "envs-bundles", "estimators-bundles", "strategies-bundles", "launch", "cnf");

  private static final List<String> COMPILER_PACKAGES =
      List.of("api", "code", "file", "main", "parser", "tree", "util");

  static void main(String[] arguments) throws IOException, InterruptedException {
    String jar = arguments[0];
    String mode = arguments[1];
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.add("-XX:TieredStopAtLevel=1");
    for (String name : COMPILER_PACKAGES) {
      command.add("--add-exports=jdk.compiler/com.sun.tools.javac." + name + "=ALL-UNNAMED");
    }
    command.addAll(List.of("-jar", jar, mode));
    if (mode.equals("--dry-run")) {
      command.add("--set-exit-if-changed");
    }
    int fixed = command.size();
    for (String folder : FOLDERS) {
      command.addAll(sources(Path.of(folder)));
    }
    if (command.size() == fixed) {
      return;
    }
    int status = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (status != 0) {
      System.err.println("The files above are not formatted: run `mvn -N -Pformat initialize`.");
    }
    System.exit(status);
  }

  private static List<String> sources(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .map(Path::toString)
          .filter(f -> f.endsWith(".java") && !f.contains("/target/") && !f.contains("{{"))
          .sorted()
          .toList();
    }
  }
}
