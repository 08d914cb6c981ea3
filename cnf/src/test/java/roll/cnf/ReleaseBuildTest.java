package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Releases that {@code ./dev release} refuses before it builds anything. */
@Tag("processes")
class ReleaseBuildTest {
  private static final Path ROOT = Path.of(System.getProperty("roll.root"));

  @TempDir Path folder;
  private Path tree;

  @BeforeEach
  void tree() throws Exception {
    tree = Files.createDirectory(folder.resolve("tree"));
    pom("1.2.0-SNAPSHOT");
    git("init", "--quiet");
    git("config", "user.name", "Test");
    git("config", "user.email", "test@localhost");
    git("add", ".");
    git("commit", "--quiet", "--message", "first");
  }

  private void pom(String version) throws IOException {
    Files.writeString(
        tree.resolve("pom.xml"),
        "<artifactId>roll-parent</artifactId><version>" + version + "</version>");
  }

  private void git(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    assertEquals("", run(command));
  }

  private String release(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                ROOT.resolve("cnf/src/ReleaseBuild.java").toString()));
    command.addAll(List.of(arguments));
    return run(command);
  }

  private String run(List<String> command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(tree.toFile()).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    int status = process.waitFor();
    return status == 0 ? output : output + " (" + status + ")";
  }

  @Test
  void aVersionThatIsReleasedIsNotReleasedAgain() throws Exception {
    git("tag", "v1.2.0");
    assertEquals(
        "dev: there is a tag v1.2.0 already (2)", release(folder.resolve("out").toString()));
    pom("1.2.0");
    assertEquals("dev: pom.xml: the version does not end in -SNAPSHOT (2)", release("--dry-run"));
  }

  @Test
  void changesThatAreNotCommittedAreNotReleased() throws Exception {
    Files.writeString(tree.resolve("new"), "");
    assertEquals("dev: there are changes that are not committed (2)", release());
  }

  @Test
  void filesOfOthersAreNotReplaced() throws Exception {
    Path file = Files.writeString(folder.resolve("mine"), "");
    assertEquals("dev: " + folder + " is not empty (2)", release("--dry-run", folder.toString()));
    assertTrue(Files.exists(file));
  }

  @Test
  void anUnknownOptionIsRefused() throws Exception {
    assertEquals("dev: usage: dev release [--dry-run] [<folder>] (2)", release("--dryrun"));
  }
}
