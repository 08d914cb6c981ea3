import java.io.BufferedReader;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs tests of a module in a separate JVM with the poms' settings of Surefire. */
class TestRun {
  static final String SUREFIRE = "maven-surefire-plugin";

  private static final List<String> DEBUGGED =
      List.of(
          "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=localhost:5005",
          "-Djunit.jupiter.execution.timeout.mode=disabled_on_debug");

  /** Counts of JUnit's console, which {@link TestReport} replaces. */
  private static final Pattern NUMBERS =
      Pattern.compile("\\[ *\\d+ (?:containers|tests) \\w+ *]|Test run finished after \\d+ ms");

  private final Workspace workspace;
  private final SourceModule module;

  TestRun(Workspace workspace, SourceModule module) {
    this.workspace = workspace;
    this.module = module;
  }

  /**
   * Runs the tests that {@code selection}, arguments of JUnit's console, select; optionally under a
   * debugger.
   */
  TestReport run(List<String> selection, boolean debug) throws Exception {
    Path reports = module.folder().resolve("target/dev/reports");
    TestReport.clear(reports);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Stream.of(module.pom().configured(SUREFIRE, "argLine").orElse("").split("\\s+"))
        .filter(option -> !option.isEmpty())
        .forEach(command::add);
    module
        .pom()
        .map(SUREFIRE, "systemPropertyVariables")
        .forEach((name, value) -> command.add("-D" + name + "=" + value));
    if (debug) {
      System.out.println("dev: waits for a debugger on localhost, port 5005");
      command.addAll(DEBUGGED);
    }
    command.addAll(
        List.of(
            "-ea",
            "-Dbasedir=" + module.folder(),
            "-cp",
            classPath(),
            "org.junit.platform.console.ConsoleLauncher",
            "execute",
            "--disable-banner",
            "--disable-ansi-colors",
            "--details=none",
            "--reports-dir=" + reports));
    command.addAll(selection);
    Process process =
        new ProcessBuilder(command)
            .directory(module.folder().toFile())
            .redirectInput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = process.inputReader()) {
      said.lines().filter(line -> !NUMBERS.matcher(line).matches()).forEach(System.out::println);
    }
    return TestReport.read(reports, process.waitFor());
  }

  private String classPath() {
    List<String> leftOut = module.pom().list(SUREFIRE, "classpathDependencyExcludes");
    String scope = module.pom().configured(SUREFIRE, "classpathDependencyScopeExclude").orElse("");
    return Stream.concat(
            Stream.of(module.test().classes(), module.main().classes()),
            module.dependencies().stream()
                .filter(d -> !leftOut.contains(d.name()) && !d.scope().equals(scope))
                .map(workspace::classes))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }
}
