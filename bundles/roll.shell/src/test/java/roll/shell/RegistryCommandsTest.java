package roll.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.launch.Framework;
import roll.api.option.UserException;
import roll.shell.command.Command;

/** {@code help} and {@code version} on the registry of a real framework. */
@Tag("framework")
class RegistryCommandsTest {
  @TempDir Path storage;
  private Framework framework;
  private BundleContext context;

  @BeforeEach
  void start() throws BundleException {
    framework =
        new FrameworkFactory()
            .newFramework(Map.of("org.osgi.framework.storage", storage.toString()));
    framework.start();
    context = framework.getBundleContext();
  }

  @AfterEach
  void stop() throws BundleException, InterruptedException {
    framework.stop();
    framework.waitForStop(0);
  }

  @Test
  void helpListsCommandsAndExplainsOne() throws Exception {
    HelpCommand command = new HelpCommand(context);
    register(Command.class, command, Map.of("osgi.command.function", "help"));
    register(
        Runnable.class,
        () -> {},
        Map.of("osgi.command.function", "old", "osgi.command.description", "Has no syntax."));
    try (Gogo gogo = new Gogo(command, "help")) {
      String list = gogo.run("help");
      assertTrue(list.contains("\n  help  Lists the commands, or explains one.\n"), list);
      assertTrue(list.contains("\n  old   Has no syntax.\n"), list);
      assertTrue(gogo.run("help roll:help").startsWith("Lists the commands"));
      UserException e = assertThrows(UserException.class, () -> gogo.run("help halp"));
      assertEquals(
          "help: no command 'halp' (known: help, old); did you mean 'help'?", e.getMessage());
    }
  }

  private <T> void register(Class<T> type, T command, Map<String, String> properties) {
    Map<String, String> all = new HashMap<>(properties);
    all.put("osgi.command.scope", "roll");
    context.registerService(type, command, FrameworkUtil.asDictionary(all));
  }

  @Test
  void versionIsOneLine() throws Exception {
    try (Gogo gogo = new Gogo(new VersionCommand(context), "version")) {
      String line = gogo.run("version");
      assertTrue(line.startsWith("roll " + framework.getVersion() + " (Java 2"), line);
      assertTrue(line.contains("org.apache.felix.framework"), line);
    }
  }

  @Test
  void versionSaysWhatIsNewerInARepository() throws Exception {
    String name = framework.getSymbolicName();
    String index = IndexFile.of(Map.of(name, "99.0.0", "other", "1.0.0"));
    Path folder = Files.createDirectory(storage.resolve("repository"));
    Files.writeString(folder.resolve("index.xml"), index);
    try (Gogo gogo = new Gogo(new VersionCommand(context), "version")) {
      assertEquals(
          "roll 99.0.0 is newer than " + framework.getVersion(),
          gogo.run("version --check " + folder));
      Files.writeString(folder.resolve("index.xml"), IndexFile.of(Map.of(name, "1.0.0")));
      assertEquals(
          "roll " + framework.getVersion() + ": nothing newer",
          gogo.run("version --check " + folder));
    }
  }

  @Test
  void exitStopsTheFramework() throws Exception {
    try (Gogo gogo = new Gogo(new ExitCommand(context, null), "exit")) {
      gogo.run("exit");
    }
    assertEquals(FrameworkEvent.STOPPED, framework.waitForStop(0).getType());
  }
}
