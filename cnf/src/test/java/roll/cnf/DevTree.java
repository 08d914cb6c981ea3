package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** A tree of modules in which {@code cnf/src/Dev.java} runs with a fake Maven. */
class DevTree {
  private static final Path ROOT = Path.of(System.getProperty("roll.root"));
  private static final Path JAVA = Path.of(System.getProperty("java.home"));

  /** The fake Maven: copies each module's prepared list of dependencies. */
  private static final String MAVEN =
      """
      #!/bin/sh
      echo "$@" >> maven.log
      for list in *.dependencies; do
        mkdir -p ${list%.*}/target/dev
        cp $list ${list%.*}/target/dev/dependencies
      done
      """;

  private final Path folder;
  private final Path program;

  /**
   * Creates a tree in an empty folder.
   *
   * @param program output of {@link #compileProgram}
   */
  DevTree(Path folder, Path program) throws IOException {
    this.folder = folder.toRealPath();
    this.program = program;
    write("bin/mvn", MAVEN);
    assertTrue(this.folder.resolve("bin/mvn").toFile().setExecutable(true));
  }

  /** Compiles the program once for all tests. */
  static void compileProgram(Path program) {
    String sources = ROOT.resolve("cnf/src").toString();
    javac("-d", program.toString(), "-sourcepath", sources, sources + "/Dev.java");
  }

  /** Compiles the main classes of a module, as Maven does before it lists the class paths. */
  void compile(String module) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-d", folder.resolve(module + "/target/classes").toString()));
    arguments.addAll(List.of("-cp", folder.resolve("a/target/classes").toString()));
    try (Stream<Path> files = Files.walk(folder.resolve(module + "/src/main/java"))) {
      files.map(Path::toString).filter(f -> f.endsWith(".java")).forEach(arguments::add);
    }
    javac(arguments.toArray(String[]::new));
  }

  private static void javac(String... arguments) {
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments));
  }

  /** Adds a module that depends on {@code needed}. */
  void module(String name, String... needed) throws IOException {
    write(
        name + "/pom.xml",
        "<project><parent><artifactId>root</artifactId></parent><artifactId>%s</artifactId></project>"
            .formatted(name));
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Stream<String> own =
        Stream.of(needed).map(m -> "compile:" + folder + "/" + m + "/target/classes");
    Stream<String> jars =
        Stream.of(path.split(":")).filter(e -> e.endsWith(".jar")).map("test:"::concat);
    write(
        name + ".dependencies",
        Stream.concat(own, jars)
            .map(e -> "  group:name:jar:1:" + e)
            .collect(Collectors.joining("\n")));
  }

  void write(String file, String text) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  void replace(String file, String old, String now) throws IOException {
    write(file, Files.readString(folder.resolve(file)).replace(old, now));
  }

  void delete(String file) throws IOException {
    Files.delete(folder.resolve(file));
  }

  boolean has(String file) {
    return Files.exists(folder.resolve(file));
  }

  /** Returns the number of Maven runs. */
  int builds() throws IOException {
    return Files.readAllLines(folder.resolve("maven.log")).size();
  }

  /**
   * Runs {@code ./dev} with {@code arguments}; returns its output with the status in the last line.
   */
  String dev(String... arguments) throws IOException, InterruptedException {
    Stream<String> command =
        Stream.of(
            JAVA.resolve("bin/java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            program.toString(),
            "Dev");
    return run(Stream.concat(command, Stream.of(arguments)).toList());
  }

  /** Commits all files. */
  void commit() throws IOException, InterruptedException {
    write(".gitignore", "target/\n*.log\n");
    run(List.of("git", "init", "--quiet"));
    run(List.of("git", "add", "--all"));
    String[] name = {"-c", "user.name=Ann", "-c", "user.email=ann@example.org"};
    run(
        Stream.of(Stream.of("git"), Stream.of(name), Stream.of("commit", "-q", "-m", "All"))
            .flatMap(s -> s)
            .toList());
  }

  private String run(List<String> command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder
        .environment()
        .merge("PATH", folder.resolve("bin").toString(), (old, bin) -> bin + ":" + old);
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return said + process.waitFor();
  }
}
