package roll.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.SynchronousBundleListener;
import org.osgi.framework.launch.Framework;

/**
 * Jars of a folder become bundles of a real framework, with components that only need something.
 */
@Tag("framework")
@Timeout(60)
class InstallerTest {
  /** An activator whose start fails. */
  public static final class Failing implements BundleActivator {
    @Override
    public void start(BundleContext context) {
      throw new IllegalStateException("there is no map");
    }

    @Override
    public void stop(BundleContext context) {}
  }

  /** An activator whose stop throws. */
  public static final class Complaining implements BundleActivator {
    @Override
    public void start(BundleContext context) {}

    @Override
    public void stop(BundleContext context) {
      throw new IllegalStateException("not now");
    }
  }

  @TempDir Path home;
  private Framework framework;
  private Path watched;
  private Path jar;
  private Installer installer;
  private FolderWatcher watch;
  private final List<String> news = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    framework =
        new FrameworkFactory()
            .newFramework(Map.of("org.osgi.framework.storage", home.resolve("storage").toString()));
    framework.start();
    BundleContext context = framework.getBundleContext();
    watched = home.resolve("deploy");
    DeployFolder folder = new DeployFolder(context, watched.toString());
    folder.create();
    BundleCheck check =
        new BundleCheck(context, new LackingComponents(context), null, home.resolve("log"));
    installer = new Installer(context, folder, check, new StartTimeout(30), null);
    watch = new FolderWatcher(folder, installer, verdict -> news.add(verdict.told()));
    jar = watched.resolve("dropped.jar");
  }

  @AfterEach
  void stop() throws Exception {
    framework.stop();
    framework.waitForStop(0);
  }

  /** Looks until nothing is being written any more. */
  private void look() {
    watch.look();
    watch.look();
  }

  /** Names, versions and states of what was installed. */
  private List<String> bundles() {
    return Arrays.stream(framework.getBundleContext().getBundles())
        .filter(bundle -> bundle.getBundleId() != 0)
        .map(
            bundle ->
                bundle.getSymbolicName()
                    + " "
                    + bundle.getVersion()
                    + (bundle.getState() == Bundle.ACTIVE ? "" : " not active"))
        .toList();
  }

  private SmallJar maze(String version) {
    return new SmallJar("maze", version);
  }

  @Test
  void aDroppedFileComesIsUpdatedAndGoes() throws IOException {
    maze("1.0.0").write(jar);
    look();
    assertEquals(List.of("maze 1.0.0"), bundles());
    maze("1.1.0").write(jar);
    look();
    assertEquals(List.of("maze 1.1.0"), bundles());
    Files.delete(jar);
    look();
    assertEquals(List.of(), bundles());
    assertEquals(2, news.size(), news::toString);
  }

  @Test
  void aFirstJarThatFailsIsNotLeft() throws IOException {
    maze("1.0.0").activator(Failing.class).write(jar);
    look();
    assertEquals(List.of(), bundles());
    assertTrue(news.getFirst().startsWith("refused dropped.jar: maze 1.0.0: "), news::toString);
    assertTrue(news.getFirst().contains("there is no map"), news::toString);
    assertFalse(news.getFirst().contains("still running"), news::toString);
  }

  /** The folder of stack traces may be shared with other users. */
  @Test
  void aStackTraceIsNotWrittenThroughALink() throws IOException {
    Path precious = Files.writeString(home.resolve("precious"), "mine");
    Path log = Files.createDirectories(home.resolve("log")).resolve("refused-maze.log");
    Files.createSymbolicLink(log, precious);
    maze("1.0.0").activator(Failing.class).write(jar);
    look();
    assertEquals("mine", Files.readString(precious));
    assertTrue(news.getFirst().contains("there is no map"), news::toString);
    assertFalse(news.getFirst().contains("stack in"), news::toString);
  }

  @Test
  void aPluginOfTheDistributionMayBeReplacedByAnotherVersion() throws Exception {
    List<String> names =
        List.of("roll.workspace.pod", "roll.preference.odds", "roll.dialect.grpc", "roll.core");
    for (String name : names) {
      Path shipped =
          new SmallJar(name, "1.0.0").without("Export-Package").write(home.resolve("shipped.jar"));
      framework.getBundleContext().installBundle(shipped.toUri() + "?" + name, newIn(shipped));
      new SmallJar(name, "1.1.0").write(watched.resolve(name + ".jar"));
    }
    look();
    assertEquals(
        List.of(
            "refused roll.core.jar: the name roll.core is reserved by this distribution; choose"
                + " another name"),
        news.stream().filter(line -> line.startsWith("refused")).toList());
  }

  private static InputStream newIn(Path file) throws IOException {
    return new ByteArrayInputStream(Files.readAllBytes(file));
  }

  /** The failure is detected only after the older bundle was stopped. */
  @Test
  void anOlderOneServesOnWhereADroppedFileFails() throws IOException {
    Path good = maze("1.0.0").write(home.resolve("good.jar"));
    Files.copy(good, jar);
    look();
    maze("1.1.0").activator(Failing.class).write(jar);
    look();
    assertEquals(List.of("maze 1.0.0"), bundles());
    String told = news.getLast();
    assertTrue(told.startsWith("refused dropped.jar: maze 1.1.0: "), told);
    assertTrue(told.endsWith("; still running: maze 1.0.0: package maze.offered"), told);
    Bundle bundle = framework.getBundleContext().getBundles()[1];
    Path served = installer.servesFrom(bundle, jar);
    assertEquals(-1, Files.mismatch(good, served), "what other nodes are given");
    maze("1.2.0").write(jar);
    look();
    assertEquals(List.of("maze 1.2.0"), bundles());
    assertEquals(jar, installer.servesFrom(bundle, jar));
  }

  /** The framework ends an update where the older one complains of its end. */
  @Test
  void anOlderOneThatCannotBeStoppedInOrderIsReplaced() throws IOException {
    maze("1.0.0").activator(Complaining.class).write(jar);
    look();
    assertEquals(List.of("maze 1.0.0"), bundles());
    maze("1.1.0").write(jar);
    look();
    assertEquals(List.of("maze 1.1.0"), bundles());
    assertEquals("maze 1.1.0: package maze.offered", news.getLast());
  }

  /** Neither the new one nor the older can be stored then, but the older is there still. */
  @Test
  void anOlderOneServesOnWhereTheDiskIsFull() throws IOException {
    maze("1.0.0").write(jar);
    look();
    Bundle bundle = Objects.requireNonNull(framework.getBundleContext().getBundles()[1]);
    // as on a full disk, the framework cannot create the folder of the next revision
    Path stored = home.resolve("storage").resolve("bundle" + bundle.getBundleId());
    Path aside = Files.move(stored, home.resolve("aside"));
    maze("1.1.0").write(jar);
    look();
    assertEquals(List.of("maze 1.0.0"), bundles());
    assertTrue(news.getLast().contains("; still running: maze 1.0.0: "), news::toString);
    Files.move(aside, stored);
    maze("1.2.0").write(jar);
    look();
    assertEquals(List.of("maze 1.2.0"), bundles());
  }

  /** A file that is written anew with what it held stops nothing. */
  @Test
  void whatServesAlreadyIsNotStopped() throws IOException {
    maze("1.0.0").write(jar);
    look();
    Bundle bundle = Objects.requireNonNull(framework.getBundleContext().getBundles()[1]);
    long changed = bundle.getLastModified();
    Files.setLastModifiedTime(jar, java.nio.file.attribute.FileTime.fromMillis(1));
    look();
    assertEquals(List.of("maze 1.0.0"), bundles());
    assertEquals(changed, bundle.getLastModified());
    assertEquals(2, news.size(), news::toString);
  }

  @Test
  void oneBundleOfTwoFilesIsInstalledOnce() throws IOException {
    maze("1.0.0").write(jar);
    look();
    maze("1.0.0").write(watched.resolve("other.jar"));
    look();
    assertEquals(List.of("maze 1.0.0"), bundles());
    assertTrue(news.getLast().contains("maze 1.0.0 is already installed, from "), news::toString);
  }

  /** The missing service is detected only after the older bundle was stopped. */
  @Test
  void anOlderOneIsNotStoppedAgainUntilTheMissingServiceComes() throws IOException {
    List<String> stopped = new ArrayList<>();
    SynchronousBundleListener listener =
        event -> {
          if (event.getType() == BundleEvent.STOPPED) {
            stopped.add(event.getBundle().getSymbolicName() + " " + event.getBundle().getVersion());
          }
        };
    framework.getBundleContext().addBundleListener(listener);
    maze("1.0.0").write(jar);
    look();
    maze("1.1.0").header(LackingComponents.NEEDS, "java.lang.Runnable").write(jar);
    look();
    String told = news.getLast();
    assertTrue(
        told.contains("needs a service java.lang.Runnable: no installed bundle provides"), told);
    assertTrue(told.endsWith("; still running: maze 1.0.0: package maze.offered"), told);
    new SmallJar("walls", "1.0.0").write(watched.resolve("walls.jar"));
    look();
    assertEquals(List.of("maze 1.0.0", "maze 1.1.0"), stopped);
    framework.getBundleContext().registerService(Runnable.class, () -> {}, null);
    new SmallJar("doors", "1.0.0").write(watched.resolve("doors.jar"));
    look();
    assertEquals(List.of("maze 1.0.0", "maze 1.1.0", "maze 1.0.0"), stopped);
    assertEquals(List.of("maze 1.1.0", "walls 1.0.0", "doors 1.0.0"), bundles());
  }

  /** The newer one lacks its service still. */
  @Test
  void anOlderOneThatLostAPackageServesAgainWhenThatComes() throws IOException {
    Path walls = new SmallJar("walls", "1.0.0").write(watched.resolve("walls.jar"));
    maze("1.0.0").header("Import-Package", "walls.offered").write(jar);
    look();
    maze("1.1.0")
        .header("Import-Package", "walls.offered")
        .header(LackingComponents.NEEDS, "java.lang.Runnable")
        .write(jar);
    look();
    assertEquals(Set.of("maze 1.0.0", "walls 1.0.0"), Set.copyOf(bundles()));
    Files.delete(walls);
    look();
    assertEquals(List.of("maze 1.0.0 not active"), bundles());
    new SmallJar("walls", "1.0.0").write(walls);
    look();
    assertEquals(Set.of("maze 1.0.0", "walls 1.0.0"), Set.copyOf(bundles()));
  }

  @Test
  void whatIsMissingIsWaitedFor() throws IOException {
    maze("1.0.0").header("Import-Package", "walls.offered").write(jar);
    look();
    assertEquals(List.of(), bundles());
    new SmallJar("walls", "1.0.0").write(watched.resolve("walls.jar"));
    look();
    assertEquals(List.of("walls 1.0.0", "maze 1.0.0"), bundles());
  }

  @Test
  void aFolderThatCannotBeCreatedHasNoJars() throws IOException {
    Path file = Files.writeString(home.resolve("file"), "");
    DeployFolder nowhere =
        new DeployFolder(framework.getBundleContext(), file.resolve("deploy").toString());
    nowhere.create();
    assertEquals(Map.of(), nowhere.jars());
    assertEquals(List.of(), Replacement.undoAll(nowhere));
  }
}
