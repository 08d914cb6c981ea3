package roll.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.option.UserException;

/** Checks of a jar before installation. */
class CandidateJarTest {
  @TempDir Path folder;

  @Test
  void aBundleIsRead() throws IOException {
    Path jar = new SmallJar("maze", "1.2.0").write(folder.resolve("a.jar"));
    CandidateJar candidate = CandidateJar.read(jar);
    assertEquals("maze 1.2.0", candidate.title());
    assertEquals(jar, candidate.jar());
    assertTrue(candidate.implementations().isEmpty() && candidate.services().isEmpty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Bundle-SymbolicName | ../maze | Bundle-SymbolicName '../maze' is invalid (allowed:",
        "Bundle-SymbolicName | a..b | Bundle-SymbolicName 'a..b' is invalid (allowed:",
        "Bundle-Version | one | Bundle-Version 'one' is not a version such as 1.0.0",
        "Bundle-ClassPath | ../x.jar | ../x.jar",
      })
  void aWrongHeaderIsNamed(String header, String value, String expected) throws IOException {
    assertRefused(
        new SmallJar("maze", "1.0.0").header(header, value).write(folder.resolve("a.jar")),
        expected);
  }

  @Test
  void whatIsNoBundleIsRefused() throws IOException {
    assertRefused(Files.writeString(folder.resolve("text.jar"), "no zip"), "not a jar");
    assertRefused(folder.resolve("absent.jar"), "no such file");
    Path project = Files.createDirectory(folder.resolve("project"));
    assertRefused(project, "project: expected a bundle's .jar file, found a folder");
    Path jar = Files.createDirectory(project.resolve("target")).resolve("maze-1.0.0.jar");
    new SmallJar("maze", "1.0.0").write(jar);
    assertRefused(project, "found a folder (jars in it: " + jar + ")");
    assertRefused(
        new SmallJar("maze", "1.0.0")
            .without("Bundle-SymbolicName")
            .write(folder.resolve("plain.jar")),
        "its manifest has no Bundle-SymbolicName");
    assertRefused(
        new SmallJar("maze", "1.0.0").entry("../outside.txt").write(folder.resolve("a.jar")),
        "outside.txt");
  }

  private static void assertRefused(Path jar, String reason) {
    String found =
        String.valueOf(
            assertThrows(UserException.class, () -> CandidateJar.read(jar)).getMessage());
    assertTrue(found.contains(reason), found);
    assertFalse(found.contains("\n"), found);
  }
}
