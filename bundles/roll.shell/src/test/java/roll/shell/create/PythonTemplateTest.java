package roll.shell.create;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The template in Python becomes a project whose own tests pass. */
@Tag("processes")
class PythonTemplateTest {
  private static final String PYTHON = "/usr/bin/python3";

  @TempDir Path folder;

  @Test
  void theProjectIsSound() throws Exception {
    assumeTrue(Files.isExecutable(Path.of(PYTHON)), "no /usr/bin/python3");
    Path project = folder.resolve("cliff_walk");
    ProjectTemplate.of(Path.of("target/classes/template", NewCommand.PYTHON))
        .write(project, NewCommand.values("cliff_walk", ""));
    assertTrue(Files.size(project.resolve("model/tokenizer.json")) > 0);
    assertTrue(Files.isRegularFile(project.resolve("training.yaml")));
    assertTrue(Files.isRegularFile(project.resolve(".gitignore")));
    assertTrue(Files.isRegularFile(project.resolve("README.md")));
    assertFalse(Files.exists(project.resolve("pom.xml")));
    String yaml = Files.readString(project.resolve("cliff_walk.yaml"));
    assertTrue(yaml.contains("gym: cliff_walk_env:CliffWalk "), yaml);
    assertTrue(yaml.contains("folder: cliff_walk_python "), yaml);
    try (Stream<Path> files = Files.walk(project)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertFalse(file.toString().contains("{{"), file::toString);
        assertFalse(Files.readString(file).matches("(?s).*\\{\\{\\w+}}.*"), file::toString);
      }
    }
    Process tests =
        new ProcessBuilder(List.of(PYTHON, "-B", "-m", "unittest", "discover", "cliff_walk_python"))
            .directory(project.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(tests.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, tests.waitFor(), said);
    assertTrue(said.contains("Ran 2 tests"), said);
  }
}
