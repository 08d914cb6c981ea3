import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticListener;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Runs Error Prone over the sources of all modules, and NullAway over those that are not tests:
 * {@code java cnf/src/Check.java <class path> <checked>}. The first argument is a file with the
 * jars of all modules, their libraries and the checkers; the second records sources without
 * findings, so that they are not checked again. javac stops after the checkers, without writing
 * classes. One compilation of all sources takes a third of the time of one per module, since the
 * checkers are loaded once.
 */
class Check {
  private static final List<String> FOLDERS =
      List.of("bundles", "envs-bundles", "estimators-bundles", "strategies-bundles", "cnf");

  private static final String ERROR_PRONE =
      "-Xplugin:ErrorProne -XepExcludedPaths:.*/target/.* -Xep:ArrayRecordComponent:OFF";

  private static final String NULL_AWAY =
      " -Xep:NullAway:ERROR -XepOpt:NullAway:OnlyNullMarked=true"
          + " -XepOpt:NullAway:JSpecifyMode=true";

  private static final String NO_NULL_AWAY = " -Xep:NullAway:OFF";

  private final String classPath;
  private final Path output;

  private Check(String classPath, Path output) {
    this.classPath = classPath;
    this.output = output;
  }

  static void main(String[] arguments) throws Exception {
    String classPath = Files.readString(Path.of(arguments[0])).strip();
    Path checked = Path.of(arguments[1]);
    List<Path> sources = sources("src/main/java");
    List<Path> tests = sources("src/test/java");
    String sum = sum(sources, tests, classPath);
    if (Files.exists(checked) && Files.readString(checked).equals(sum)) {
      return;
    }
    Path output = Files.createTempDirectory("checked");
    Check check = new Check(classPath, output);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<Boolean> main = threads.submit(check.of(sources, NULL_AWAY));
      // A null in a test fails the test, so tests need no proof.
      Future<Boolean> test = threads.submit(check.of(tests, NO_NULL_AWAY));
      if (!(main.get() & test.get())) {
        System.exit(1);
      }
    } finally {
      Files.delete(output);
    }
    Files.writeString(checked, sum);
  }

  private Callable<Boolean> of(List<Path> files, String options) {
    return () -> {
      JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
      try (StandardJavaFileManager manager =
          compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
        List<String> arguments =
            List.of(
                "--release",
                Integer.toString(Runtime.version().feature()),
                "-proc:none",
                "-Xlint:none",
                "-XDcompilePolicy=simple",
                "--should-stop=ifError=FLOW",
                "-XDshould-stop.ifNoError=FLOW",
                "-XDaddTypeAnnotationsToSymbol=true",
                "-processorpath",
                classPath,
                "-classpath",
                classPath,
                "-d",
                output.toString(),
                ERROR_PRONE + options);
        // A warning fails the check too, after all findings are listed.
        AtomicInteger found = new AtomicInteger();
        DiagnosticListener<JavaFileObject> listener =
            diagnostic -> {
              if (diagnostic.getKind() != Diagnostic.Kind.NOTE) {
                found.incrementAndGet();
                System.err.println(diagnostic);
              }
            };
        boolean compiled =
            compiler
                .getTask(
                    null,
                    manager,
                    listener,
                    arguments,
                    null,
                    manager.getJavaFileObjectsFromPaths(files))
                .call();
        return compiled && found.get() == 0;
      }
    };
  }

  /**
   * Returns the Java files in folders called {@code kind}; tests without package-info files, which
   * their packages already have.
   */
  private static List<Path> sources(String kind) throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String folder : FOLDERS) {
      try (Stream<Path> modules = Files.walk(Path.of(folder), 2)) {
        for (Path module :
            modules
                .map(module -> module.resolve(kind))
                .filter(Files::isDirectory)
                .sorted()
                .toList()) {
          try (Stream<Path> files = Files.walk(module)) {
            files.filter(Check::java).sorted().forEach(sources::add);
          }
        }
      }
    }
    if (kind.contains("test")) {
      sources.removeIf(file -> file.endsWith("package-info.java"));
    }
    return sources;
  }

  private static boolean java(Path file) {
    return file.toString().endsWith(".java") && !file.toString().contains("{{");
  }

  private static String sum(List<Path> sources, List<Path> tests, String classPath)
      throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(classPath.getBytes(StandardCharsets.UTF_8));
    List<Path> files = new ArrayList<>(sources);
    files.addAll(tests);
    files.add(Path.of("cnf/src/Check.java"));
    for (Path file : files) {
      digest.update(file.toString().getBytes(StandardCharsets.UTF_8));
      digest.update(Files.readAllBytes(file));
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
