package roll.start;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script {@code roll} in a tree of its own: when it builds, with an mvn that writes a line. */
@Tag("processes")
@DisabledOnOs(OS.WINDOWS)
class ScriptTest {
  private static final String MVN =
      """
      #!/bin/sh
      echo built >>builds
      while [ -f hold ]; do sleep 0.1; done
      [ ! -f broken ] || { echo "[ERROR] broken"; printf '\\033[0m'; exit 1; }
      mkdir -p launch/target/dist
      cp program.jar launch/target/dist/roll.jar
      """;

  @TempDir Path folder;
  private Path tree;
  private Path tools;

  /** Another program than the rest of the test's: prints that it ran. */
  public static void main(String[] arguments) {
    System.out.println("ran");
  }

  @BeforeEach
  void tree() throws IOException {
    tree = folder.resolve("a tree");
    tools = Files.createDirectories(folder.resolve("bin"));
    for (String file :
        List.of(
            "LICENSE",
            "licenses/MIT.txt",
            "pom.xml",
            "bnd.bnd",
            ".mvn/jvm.config",
            "bundles/roll.a/pom.xml",
            "bundles/roll.a/README.md",
            "bundles/roll.a/src/main/java/A.java",
            "bundles/roll.a/src/test/java/ATest.java",
            "envs-bundles/pom.xml",
            "estimators-bundles/pom.xml",
            "strategies-bundles/pom.xml",
            "configs/models/frozen-lake-tiny/config.json",
            "configs/models/arithmetic-tiny/config.json",
            "cnf/templates/tool/README.md",
            "launch/core.bndrun",
            "launch/frozen-lake.bndrun",
            "launch/roll.bndrun")) {
      write(file, file);
    }
    Path script = tree.resolve("roll");
    Files.copy(Path.of(System.getProperty("roll.root"), "roll"), script);
    Path mvn = Files.writeString(tools.resolve("mvn"), MVN);
    assertTrue(script.toFile().setExecutable(true) && mvn.toFile().setExecutable(true));
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "roll.start.ScriptTest");
    try (JarOutputStream jar =
        new JarOutputStream(Files.newOutputStream(tree.resolve("program.jar")), manifest)) {
      jar.putNextEntry(new ZipEntry("roll/start/ScriptTest.class"));
      jar.write(ScriptTest.class.getResourceAsStream("ScriptTest.class").readAllBytes());
    }
  }

  private Path write(String file, String content) throws IOException {
    Path path = tree.resolve(file);
    Files.createDirectories(path.getParent());
    return Files.writeString(path, content);
  }

  private Process start() throws IOException {
    ProcessBuilder builder = new ProcessBuilder(tree.resolve("roll").toString(), "version");
    builder.environment().put("ROLL_JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("ROLL_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    String path = builder.environment().get("PATH");
    boolean alone = Files.exists(tools.resolve("sh"));
    builder.environment().put("PATH", tools + (alone ? "" : File.pathSeparator + path));
    return builder.redirectErrorStream(true).start();
  }

  private String run() throws IOException, InterruptedException {
    return end(start());
  }

  private static String end(Process process) throws IOException, InterruptedException {
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + " " + out.strip();
  }

  private int builds() throws IOException {
    Path builds = tree.resolve("builds");
    return Files.exists(builds) ? Files.readAllLines(builds).size() : 0;
  }

  private void awaitBuilds(int number) throws IOException, InterruptedException {
    await().atMost(Duration.ofMinutes(1)).until(() -> builds() >= number);
  }

  /** Without flock the script must do as well: then only these tools are there. */
  private void withoutFlock() throws IOException {
    for (String tool :
        List.of(
            "sh",
            "cat",
            "cksum",
            "cp",
            "dirname",
            "echo",
            "find",
            "grep",
            "ln",
            "mkdir",
            "mv",
            "readlink",
            "rm",
            "sed",
            "sleep",
            "sort",
            "tail",
            "tr")) {
      Path file =
          Stream.of("/bin", "/usr/bin")
              .map(place -> Path.of(place, tool))
              .filter(Files::exists)
              .findFirst()
              .orElseThrow();
      Path call = tools.resolve(tool);
      Files.writeString(call, "#!/bin/sh\nexec " + file + " \"$@\"\n");
      assertTrue(call.toFile().setExecutable(true));
    }
  }

  @Test
  void buildsWhereSourcesChangedAndNowhereElse() throws Exception {
    assertTrue(run().endsWith("ran"));
    assertEquals("0 ran", run());
    write("launch/my.bndrun", "a copy");
    write("bundles/roll.a/README.md", "changed");
    write("bundles/roll.a/src/test/java/ATest.java", "changed");
    write("bundles/roll.a/src/main/java/A.java~", "a backup");
    write("bundles/roll.a/src/main/java/.A.java.swp", "a backup");
    write("launch/roll.bndrun", "launch/roll.bndrun\n-runbundles: \\\n\ta;version=1\n");
    write("launch/roll.bndrun", "launch/roll.bndrun");
    Files.setLastModifiedTime(
        tree.resolve("bundles/roll.a/src/main/java/A.java"),
        FileTime.fromMillis(System.currentTimeMillis() + 10_000));
    assertEquals("0 ran", run());
    assertEquals(1, builds());
    Path source = write("bundles/roll.a/src/main/java/A.java", "changed");
    Files.setLastModifiedTime(source, FileTime.fromMillis(0));
    assertTrue(run().contains("sources have changed"));
    write("cnf/templates/tool/README.md", "changed");
    assertTrue(run().contains("sources have changed"));
    Files.delete(source);
    assertTrue(run().contains("sources have changed"));
    assertEquals(4, builds());
    assertEquals("0 ran", run());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ofTwoAtOnceOneBuilds(boolean flock) throws Exception {
    if (!flock) {
      withoutFlock();
    }
    write("hold", "");
    Process first = start();
    awaitBuilds(1);
    Process second = start();
    var reader = second.inputReader(StandardCharsets.UTF_8);
    assertTrue(reader.readLine().contains("another process is building here"));
    Files.delete(tree.resolve("hold"));
    assertTrue(end(first).endsWith("ran"));
    assertEquals("ran", reader.readLine());
    assertEquals(0, second.waitFor());
    assertEquals(1, builds());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aKilledBuildBlocksNobody(boolean flock) throws Exception {
    if (!flock) {
      withoutFlock();
    }
    write("hold", "");
    Process first = start();
    awaitBuilds(1);
    List<ProcessHandle> children = first.descendants().toList();
    first.destroyForcibly().waitFor();
    children.forEach(ProcessHandle::destroyForcibly);
    Files.delete(tree.resolve("hold"));
    assertTrue(run().endsWith("ran"));
    assertEquals(2, builds());
    assertEquals("0 ran", run());
  }

  @Test
  void aFailedBuildIsTriedAgain() throws Exception {
    assertTrue(run().endsWith("ran"));
    write("pom.xml", "changed");
    write("broken", "");
    assertTrue(run().startsWith("1 "));
    assertTrue(run().startsWith("1 "));
    Files.delete(tree.resolve("broken"));
    assertTrue(run().endsWith("ran"));
    assertEquals(4, builds());
  }

  @Test
  void aScriptAloneSaysWhatIsMissing() throws Exception {
    tree = Files.createDirectory(folder.resolve("copied"));
    Path script = tree.resolve("roll");
    Files.copy(folder.resolve("a tree/roll"), script, StandardCopyOption.COPY_ATTRIBUTES);
    assertEquals("2 roll: no roll.jar beside " + script, run());
    write("pom.xml", "a project of the user's");
    assertEquals("2 roll: no roll.jar beside " + script, run());
    assertEquals(0, builds());
  }

  @Test
  void whatMavenBuiltItselfIsTaken() throws Exception {
    assertTrue(run().endsWith("ran"));
    Path source = write("bundles/roll.a/src/main/java/A.java", "changed");
    Files.setLastModifiedTime(source, FileTime.fromMillis(System.currentTimeMillis() - 10_000));
    Path sources = tree.resolve("launch/target/sources");
    Files.setLastModifiedTime(sources, FileTime.fromMillis(System.currentTimeMillis() - 20_000));
    Path jar = tree.resolve("launch/target/dist/roll.jar");
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path file : all.filter(Files::isRegularFile).filter(f -> !f.equals(jar)).toList()) {
        if (Files.getLastModifiedTime(file).toMillis() > System.currentTimeMillis() - 10_000) {
          Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis() - 10_000));
        }
      }
    }
    assertEquals("0 ran", run());
    Files.delete(sources);
    assertEquals("0 ran", run());
    assertEquals(1, builds());
  }
}
