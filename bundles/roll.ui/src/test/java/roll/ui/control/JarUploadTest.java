package roll.ui.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.option.UserException;
import roll.runtime.deploy.Deployer;

/** Uploaded jars: one file of a safe name, deleted afterwards. */
class JarUploadTest {
  private static final byte[] JAR = {80, 75, 3, 4};

  private final List<Path> seen = new ArrayList<>();
  private boolean refusing;

  private final Deployer deployer =
      new RecordingDeployer(new ArrayList<>()) {
        @Override
        public String deploy(Path jar, Consumer<String> notice) {
          seen.add(jar);
          try {
            assertArrayEquals(JAR, Files.readAllBytes(jar));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          notice.accept("waiting for the current step");
          if (refusing) {
            throw new UserException("refused " + jar.getFileName() + ": not a jar");
          }
          return super.deploy(jar, notice);
        }
      };

  @Test
  void theFileIsTheDeployersAndGoneAfterwards() throws Exception {
    JarUpload.Deployed done = JarUpload.deploy(deployer, "maze-1.0.0.jar", JAR);
    assertEquals("deployed maze 1.0.0: roll.env=maze", done.line());
    assertEquals(List.of("waiting for the current step"), done.notices());
    assertEquals("maze-1.0.0.jar", seen.getFirst().getFileName().toString());
    assertGone();
  }

  @Test
  void whatIsRefusedIsGoneToo() {
    refusing = true;
    UserException refused =
        assertThrows(UserException.class, () -> JarUpload.deploy(deployer, "maze.jar", JAR));
    assertEquals("refused maze.jar: not a jar", refused.getMessage());
    assertGone();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".jar",
        "..jar",
        "../x.jar",
        "a/../../x.jar",
        "a/b.jar",
        "a\\b.jar",
        "/etc/x.jar",
        "a..b.jar",
        ".hidden.jar",
        "-x.jar",
        "a.jar\u0000",
        "a\u0000.jar",
        "a\n.jar",
        "a b.jar",
        "a%2fb.jar",
        "C:x.jar",
        "x.jar/",
        "x.zip",
        "x.JAR",
        "\u202Eraj.jar",
        "x:y.jar",
        "~/x.jar",
        "$(x).jar"
      })
  void hostileNamesAreRefusedInOneLine(String name) {
    UserException refused =
        assertThrows(UserException.class, () -> JarUpload.deploy(deployer, name, JAR));
    assertTrue(refused.getMessage().startsWith("deploy: name must be"), refused.getMessage());
    assertFalse(refused.getMessage().contains("\n"));
    assertEquals(List.of(), seen);
  }

  @Test
  void endlessNamesAndEmptyJarsAreRefused() {
    String endless = "x".repeat(101) + ".jar";
    assertThrows(UserException.class, () -> JarUpload.deploy(deployer, endless, JAR));
    assertThrows(UserException.class, () -> JarUpload.deploy(deployer, "x.jar", new byte[0]));
    assertEquals(List.of(), seen);
  }

  private void assertGone() {
    for (Path jar : seen) {
      assertFalse(Files.exists(jar));
      assertFalse(Files.exists(jar.getParent()));
    }
  }
}
