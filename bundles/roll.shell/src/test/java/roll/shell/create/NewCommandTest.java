package roll.shell.create;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.launch.Framework;
import roll.api.option.UserException;
import roll.shell.Gogo;

/** Refusals of {@code new}, in a real framework; its output is tested by TemplatesTest. */
@Tag("framework")
class NewCommandTest {
  @TempDir Path folder;

  @Test
  void wrongWordsAreRefused() throws Exception {
    refused("new", "new: <kind> is missing");
    refused(
        "new enviroment maze",
        "no kind 'enviroment' (allowed: curriculum, environment, estimator,");
    refused("new enviroment maze", "did you mean 'environment'?");
    refused("new environment Maze", "new: 'Maze' cannot be an id (allowed: lowercase letters");
    refused("new environment _maze", "'_maze' cannot be an id");
    refused("new environment ../maze", "'../maze' cannot be an id");
    refused("new environment " + "x".repeat(41), "at most 40");
    refused("new environment class", "'class' cannot be an id: it must also be a valid Java");
    refused("new environment roll", "'roll' cannot be an id: it must also be");
    refused("new loss mine -o", "--output needs a value");
  }

  @Test
  void whatIsShippedIsNotWrittenAgain() throws Exception {
    refused("new environment frozen_lake", "new: the environment frozen_lake already exists, in ");
  }

  @Test
  void nothingIsOverwritten() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "mine");
    refused("new loss mine -o " + file, "file is a file; nothing is overwritten");
    refused("new loss mine -o " + folder, folder + " is not empty; nothing is overwritten");
    assertEquals("mine", Files.readString(file));
  }

  /** A distribution without a repository says so before it writes. */
  @Test
  void thereMustBeSomethingToBuildAgainst() throws Exception {
    Path project = folder.resolve("project");
    refused("new loss mine -o " + project, "repository to build plugins against");
    assertFalse(Files.exists(project));
  }

  private void refused(String line, String part) throws Exception {
    Framework framework =
        new FrameworkFactory()
            .newFramework(
                Map.of(
                    "org.osgi.framework.storage", folder.resolve("storage").toString(),
                    "gosh.home", folder.resolve("home").toString()));
    framework.start();
    BundleContext context = framework.getBundleContext();
    context.registerService(
        Object.class, "lake", FrameworkUtil.asDictionary(Map.of("roll.env", "frozen_lake")));
    try (Gogo gogo = new Gogo(new NewCommand(context), "new")) {
      UserException e = assertThrows(UserException.class, () -> gogo.run(line));
      assertTrue(e.getMessage().contains(part), e.getMessage());
      assertFalse(e.getMessage().contains("\n"), e.getMessage());
    } finally {
      framework.stop();
      framework.waitForStop(0);
    }
  }
}
