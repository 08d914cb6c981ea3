import java.io.BufferedReader;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs tests of a module in a JVM of its own, with what the poms tell Surefire. */
class TestRun {
  static final String SUREFIRE = "maven-surefire-plugin";

  /** What JUnit's console counts after failures; {@link TestReport} is shorter. */
  private static final Pattern NUMBERS =
      Pattern.compile("\\[ *\\d+ (?:containers|tests) \\w+ *]|Test run finished after \\d+ ms");

  private final Workspace workspace;
  private final SourceModule module;

  TestRun(Workspace workspace, SourceModule module) {
    this.workspace = workspace;
    this.module = module;
  }

  /** What JUnit's console is to run; whether all went well. */
  TestReport run(List<String> selection) throws Exception {
    Path reports = module.folder().resolve("target/dev/reports");
    TestReport.clear(reports);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Stream.of(module.pom().configured(SUREFIRE, "argLine").orElse("").split("\\s+"))
        .filter(option -> !option.isEmpty())
        .forEach(command::add);
    command.addAll(
        List.of(
            "-ea",
            "-Dbasedir=" + module.folder(),
            "-Droll.root=" + Path.of("").toAbsolutePath(),
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
