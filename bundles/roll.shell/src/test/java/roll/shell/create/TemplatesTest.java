package roll.shell.create;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Every template becomes a project whose classes compile and whose own tests pass. */
class TemplatesTest {
  @TempDir Path folder;

  static Stream<String> kinds() {
    return NewCommand.KINDS.keySet().stream().filter(kind -> !kind.equals(NewCommand.PYTHON));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theProjectIsSound(String kind) throws Exception {
    Path project = folder.resolve("cliff_walk");
    ProjectTemplate.of(Path.of("target/classes/template", kind))
        .write(project, NewCommand.values("cliff_walk", "file:/repository"));
    assertTrue(Files.size(project.resolve("model/tokenizer.json")) > 0);
    assertTrue(Files.readString(project.resolve("cliff_walk.yaml")).contains("cliff_walk"));
    assertTrue(Files.isRegularFile(project.resolve("README.md")));
    assertTrue(Files.isRegularFile(project.resolve(".gitignore")));
    String pom = Files.readString(project.resolve("pom.xml"));
    assertTrue(pom.contains("<url>${roll.repository}</url>"), pom);
    for (Path file : files(project)) {
      String text = Files.readString(file);
      assertFalse(text.matches("(?s).*\\{\\{\\w+}}.*"), () -> file + " has names left");
      assertFalse(file.toString().contains("{{"), file::toString);
      assertFalse(file.endsWith("pom.xml") && text.contains("@"), () -> "unfiltered: " + text);
      assertFalse(file.getFileName().toString().startsWith("_"), file::toString);
    }
    SummaryGeneratingListener summary = test(compile(project));
    assertEquals(List.of(), summary.getSummary().getFailures(), kind);
    assertTrue(summary.getSummary().getTestsSucceededCount() > 1, "only few tests");
  }

  private static List<Path> files(Path folder) throws Exception {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  /** Compiles main and test classes as strictly as our own. */
  private Path compile(Path project) throws Exception {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<Path> sources =
        files(project).stream().filter(file -> file.toString().endsWith(".java")).toList();
    StringWriter said = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      boolean right =
          compiler
              .getTask(
                  said,
                  files,
                  null,
                  List.of(
                      "-d",
                      classes.toString(),
                      "-proc:none",
                      "-Xlint:all,-classfile,-processing",
                      "-Werror",
                      "-cp",
                      System.getProperty("java.class.path")),
                  null,
                  files.getJavaFileObjectsFromPaths(sources))
              .call();
      assertTrue(right, said::toString);
    }
    return classes;
  }

  private static SummaryGeneratingListener test(Path classes) throws Exception {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, before)) {
      Thread.currentThread().setContextClassLoader(loader);
      List<Class<?>> tests =
          files(classes).stream()
              .map(file -> classes.relativize(file).toString())
              .filter(name -> name.endsWith("Test.class"))
              .<Class<?>>map(name -> load(loader, name))
              .toList();
      LauncherDiscoveryRequest request =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(tests.stream().map(DiscoverySelectors::selectClass).toList())
              .build();
      Launcher launcher = LauncherFactory.create();
      launcher.execute(request, summary);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
    return summary;
  }

  private static Class<?> load(ClassLoader loader, String file) {
    try {
      return loader.loadClass(file.replace(".class", "").replace('/', '.'));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
