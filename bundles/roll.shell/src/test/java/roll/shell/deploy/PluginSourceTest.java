package roll.shell.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.felix.framework.FrameworkFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.launch.Framework;
import roll.runtime.deploy.PluginIndex;
import roll.runtime.deploy.PluginOffer;
import roll.runtime.deploy.PluginRepository;
import roll.shell.Gogo;
import roll.testkit.EmptyDeployer;

/** The repository that {@code search} and {@code deploy} read, in a real framework. */
@Tag("framework")
class PluginSourceTest {
  private static final PluginOffer LAKE =
      new PluginOffer("lake", "1.0.0", List.of("env=lake"), "MIT", 2048);
  private static final PluginOffer MAZE =
      new PluginOffer("maze", "1.2.0", List.of("env=maze"), "", 100);

  @TempDir Path folder;
  private Framework framework;

  /** Places and keys that were read, and jars that were deployed. */
  private final List<String> calls = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    framework =
        new FrameworkFactory()
            .newFramework(
                Map.of(
                    "org.osgi.framework.storage", folder.resolve("storage").toString(),
                    "gosh.home", folder.toString()));
    framework.start();
  }

  @AfterEach
  void stop() throws Exception {
    framework.stop();
    framework.waitForStop(0);
  }

  /** An index of two bundles. */
  private static final class Index implements PluginIndex {
    @Override
    public String signature() {
      return "not signed";
    }

    @Override
    public List<PluginOffer> newest() {
      return List.of(LAKE, MAZE);
    }

    @Override
    public @Nullable PluginOffer at(URI address) {
      return address.getPath().endsWith("/maze.jar") ? MAZE : null;
    }

    @Override
    public List<PluginOffer> resolve(String wanted) {
      return wanted.equals("lake") ? List.of(LAKE) : List.of();
    }

    @Override
    public List<PluginOffer> resolve(PluginOffer wanted) {
      return List.of(wanted);
    }

    @Override
    public Path fetch(PluginOffer offer, Path target) {
      return target.resolve(offer.name() + ".jar");
    }
  }

  /** A deployer that accepts every jar. */
  private static final class Accepting extends EmptyDeployer {
    @Override
    public List<String> deploy(List<Path> jars, Consumer<String> notice) {
      return jars.stream().map(jar -> jar.getFileName() + ": something").toList();
    }

    @Override
    public String deploy(Path jar, Consumer<String> notice) {
      return "the file " + jar.getFileName();
    }
  }

  /** Returns the last line that a command prints. */
  private String last(String line) throws Exception {
    return run(line).strip().lines().toList().getLast();
  }

  private String run(String line) throws Exception {
    PluginRepository repository =
        (place, key) -> {
          calls.add(place + " " + (key == null ? "-" : key.getFileName()));
          return new Index();
        };
    boolean search = line.startsWith("search");
    try (Gogo gogo =
        search
            ? new Gogo(
                new SearchCommand(framework.getBundleContext(), new EmptyDeployer(), repository),
                "search")
            : new Gogo(
                new DeployCommand(framework.getBundleContext(), new Accepting(), repository),
                "deploy")) {
      return String.valueOf(gogo.run(line));
    }
  }

  /** Another scheme is the reader's to refuse, not the name of a folder. */
  @Test
  void addressesAreNoFolders() throws Exception {
    run("search --from ftp://example.org/osgi");
    run("search --from file:///osgi");
    assertEquals(List.of("ftp://example.org/osgi -", "file:///osgi -"), calls);
  }

  @Test
  void aRepositoryIsRememberedWithItsKey() throws Exception {
    String none = userError(() -> run("search"));
    assertTrue(none.startsWith("search: no repository is remembered: --from names one"), none);
    String missing = userError(() -> run("deploy lake"));
    assertTrue(missing.startsWith("lake: no such file; to take it from a repository"), missing);

    String table = run("search MAZE --from https://example.org/osgi --key release.pub --save");
    assertTrue(
        table
            .strip()
            .matches("(?s)not signed\nremembered in .*\nname .*\nmaze +1.2.0 +env=maze +100 B"),
        table);
    assertTrue(Files.isRegularFile(folder.resolve("etc/plugins.properties")));
    run("search");
    assertEquals("deployed lake.jar: something", last("deploy lake"));
    run("deploy lake --from " + folder);
    assertEquals(
        List.of(
            "https://example.org/osgi release.pub",
            "https://example.org/osgi release.pub",
            "https://example.org/osgi release.pub",
            folder.toUri() + " -"),
        calls);
    assertEquals("no bundle matches", last("search sokoban"));
  }

  @Test
  void aFileIsAFileAndAnAddressIsLookedUpBesideIt() throws Exception {
    assertEquals("deployed the file maze.jar", last("deploy maze.jar"));
    assertEquals("deployed maze.jar: something", last("deploy https://example.org/osgi/maze.jar"));
    assertEquals(List.of("https://example.org/osgi/ -"), calls);
    assertEquals(
        "https://example.org/other.jar: the index.xml of its folder does not list it",
        userError(() -> run("deploy https://example.org/other.jar")));
    assertEquals(
        "maze: the repository has nothing newer than what is here",
        last("deploy maze --from " + folder));
    assertEquals("nothing is deployed", last("deploy --list"));
  }
}
