package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.FrameworkListener;
import roll.api.option.UserException;

/** Jars are deployed, updated, refused and removed in the running framework. */
@Tag("framework")
@Timeout(120)
class DeployTest {
  private static final String ID = "deployed_lake";

  private final Path folder;
  private final Path watched =
      Path.of(Plugins.context().getProperty("roll.deploy.dir")).toAbsolutePath();

  DeployTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** Restores the folder. */
  @AfterEach
  void cleanUp() throws Exception {
    try (Stream<Path> left = Files.list(watched)) {
      for (Path jar : left.filter(file -> file.toString().endsWith(".jar")).toList()) {
        CommandsTest.run("roll:undeploy " + jar.getFileName());
      }
    }
    assertEquals(List.of(), bundles());
  }

  @Test
  void aJarComesIsUpdatedAndGoes() throws Exception {
    Path first = new PluginJar(ID, "1.0.0").write(folder, "lake-1.0.0.jar");
    assertEquals("deployed " + ID + " 1.0.0: roll.env=" + ID + "\n", deploy(first));
    assertEquals(List.of("1.0.0"), bundles());
    assertTrue(services().contains("deploy/" + ID + ".jar"), services());
    Path second = new PluginJar(ID, "1.1.0").write(folder, "lake-1.1.0.jar");
    assertEquals("deployed " + ID + " 1.1.0: roll.env=" + ID + "\n", deploy(second));
    assertEquals(List.of("1.1.0"), bundles(), "replaced, not doubled");
    assertEquals("undeployed " + ID + " 1.1.0\n", CommandsTest.run("roll:undeploy " + ID));
    assertFalse(services().contains(ID), services());
  }

  /**
   * A manually dropped file keeps its name until deploy replaces it by one with the bundle's name.
   */
  @Test
  void anOlderFileOfAnotherNameIsReplaced() throws Exception {
    new PluginJar(ID, "1.0.0").write(watched, "dropped-by-hand.jar");
    Waits.until(() -> !bundles().isEmpty());
    deploy(new PluginJar(ID, "2.0.0").write(folder, "lake.jar"));
    assertEquals(List.of("2.0.0"), bundles());
    assertEquals(List.of(ID + ".jar"), files());
  }

  /** Twenty updates cause no error of the framework, as two threads that start one bundle would. */
  @Test
  void manyUpdatesLeaveNoComplaint() throws Exception {
    List<String> complaints = new CopyOnWriteArrayList<>();
    FrameworkListener listener =
        event -> {
          if (event.getType() == FrameworkEvent.ERROR) {
            complaints.add(event.getBundle() + ": " + event.getThrowable());
          }
        };
    Plugins.context().addFrameworkListener(listener);
    try {
      for (int i = 0; i < 20; i++) {
        String version = "1." + i + ".0";
        Path jar = new PluginJar(ID, version).write(folder, "lake-" + version + ".jar");
        assertEquals("deployed " + ID + " " + version + ": roll.env=" + ID + "\n", deploy(jar));
      }
    } finally {
      Plugins.context().removeFrameworkListener(listener);
    }
    assertEquals(List.of(), complaints);
  }

  /** A file replaced by another process during a deployment is not waited for. */
  @Test
  void aFileThatIsReplacedMeanwhileIsNotWaitedFor() throws Exception {
    Path first = new PluginJar(ID, "1.0.0").write(folder, "first.jar");
    Path second = new PluginJar(ID, "2.0.0").write(folder, "second.jar");
    Path place = watched.resolve(ID + ".jar");
    Thread other =
        Thread.startVirtualThread(
            () -> {
              while (!Files.exists(place)) {
                Thread.onSpinWait();
              }
              try {
                Files.move(second, place, StandardCopyOption.ATOMIC_MOVE);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    UserException e = assertThrows(UserException.class, () -> deploy(first));
    other.join();
    assertEquals(
        place + " was replaced or deleted by another program during deployment", e.getMessage());
    Waits.until(() -> bundles().equals(List.of("2.0.0")));
  }

  @Test
  void whatIsNoBundleIsRefused() throws Exception {
    assertRefused(
        Files.writeString(folder.resolve("text.jar"), "no zip"), "refused text.jar: not a jar (");
    assertRefused(
        new PluginJar(ID, "1.0.0").without("Bundle-SymbolicName").write(folder, "plain.jar"),
        "refused plain.jar: its manifest has no Bundle-SymbolicName");
    assertRefused(
        new PluginJar(ID, "one").write(folder, "odd.jar"), "Bundle-Version 'one' is not a version");
    assertRefused(folder.resolve("absent.jar"), "absent.jar: no such file");
  }

  @Test
  void whatIsMissingIsNamed() throws Exception {
    PluginJar jar = new PluginJar(ID, "1.0.0");
    String imports = jar.header("Import-Package");
    assertRefused(
        jar.header("Import-Package", imports + ",no.such.world;version=\"[1.2,2)\"")
            .write(folder, "a.jar"),
        "no installed bundle exports package no.such.world in [1.2.0,2.0.0)");
    assertRefused(
        new PluginJar(ID, "1.0.0")
            .header("Import-Package", imports + ",com.google.gson;version=\"[77,78)\"")
            .write(folder, "b.jar"),
        "it needs package com.google.gson in [77.0.0,78.0.0), but com.google.gson ");
    assertRefused(
        new PluginJar(ID, "1.0.0")
            .header("Require-Capability", "roll.model;filter:=\"(roll.model=no_such)\"")
            .write(folder, "c.jar"),
        "no installed bundle has the capability roll.model (roll.model=no_such)");
  }

  @Test
  void anotherApiIsNamed() throws Exception {
    PluginJar jar = new PluginJar(ID, "1.0.0");
    String imports =
        jar.header("Import-Package")
            .replaceFirst("roll.api.env;version=\"[^\"]*\"", "roll.api.env;version=\"[7,8)\"");
    assertRefused(
        jar.header("Import-Package", imports).write(folder, "a.jar"),
        "it was built for another version of roll.api: it needs package roll.api.env in"
            + " [7.0.0,8.0.0), but roll.api ");
  }

  @Test
  void whatThrowsIsRefused() throws Exception {
    Path jar =
        new PluginJar(ID, "1.0.0")
            .with(ThrowingEnvironment.class)
            .component(
                "roll.env.frozen_lake.FrozenLakeEnvironment", ThrowingEnvironment.class.getName())
            .write(folder, "a.jar");
    assertRefused(
        jar,
        "component roll.env.frozen_lake throws java.lang.IllegalStateException: there is no map"
            + " (stack in ");
  }

  @Test
  void whatOffersNothingIsRefused() throws Exception {
    assertRefused(
        new PluginJar(ID, "1.0.0").without("Service-Component").write(folder, "a.jar"),
        "it provides no plugin, no command and no package");
  }

  /** After a refused update the older version is active again, under its file name. */
  @Test
  void aRefusedUpdateLeavesTheOlderOne() throws Exception {
    deploy(new PluginJar(ID, "1.0.0").write(folder, "good.jar"));
    Path bad = new PluginJar(ID, "1.1.0").without("Service-Component").write(folder, "bad.jar");
    UserException refused = assertThrows(UserException.class, () -> deploy(bad));
    String serves = "; still running: " + ID + " 1.0.0: roll.env=" + ID;
    assertTrue(refused.getMessage().endsWith(serves), refused.getMessage());
    assertEquals(List.of("1.0.0"), bundles());
    assertTrue(services().contains(ID), services());
  }

  /** An update whose component fails after the older version has stopped restores the older one. */
  @Test
  void aDroppedFileThatThrowsLeavesTheOlderOne() throws Exception {
    deploy(new PluginJar(ID, "1.0.0").write(folder, "good.jar"));
    long serving = bundle().getLastModified();
    Path bad =
        new PluginJar(ID, "1.1.0")
            .with(ThrowingEnvironment.class)
            .component(
                "roll.env.frozen_lake.FrozenLakeEnvironment", ThrowingEnvironment.class.getName())
            .write(folder, "bad.jar");
    Files.move(bad, watched.resolve(ID + ".jar"), StandardCopyOption.REPLACE_EXISTING);
    Waits.until(
        () ->
            bundle().getLastModified() != serving
                && bundle().getState() == Bundle.ACTIVE
                && bundle().getVersion().toString().equals("1.0.0")
                && services().contains(ID));
  }

  private static Bundle bundle() {
    return Stream.of(Plugins.context().getBundles())
        .filter(bundle -> ID.equals(bundle.getSymbolicName()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void twoBundlesWithOneIdAreReported() throws Exception {
    Path jar =
        new PluginJar(ID, "1.0.0")
            .component(">" + ID + "<", ">frozen_lake<")
            .write(folder, "a.jar");
    String said = deploy(jar);
    assertTrue(said.contains("roll.env=frozen_lake (also provided by roll.env.frozen_lake"), said);
    assertTrue(said.endsWith(", which is used)\n"), said);
  }

  @Test
  void onlyWhatWasDeployedCanBeUndeployed() {
    assertSays(
        "roll.env.frozen_lake is part of this distribution and cannot be undeployed",
        "roll:undeploy roll.env.frozen_lake");
    assertSays("no deployed bundle 'unknown' (deployed: none)", "roll:undeploy unknown");
  }

  private static void assertSays(String expected, String program) {
    UserException e = assertThrows(UserException.class, () -> CommandsTest.run(program));
    assertEquals(expected, e.getMessage());
  }

  private void assertRefused(Path jar, String reason) throws IOException {
    UserException e = assertThrows(UserException.class, () -> deploy(jar));
    assertTrue(e.getMessage().contains(reason), e.getMessage());
    assertFalse(e.getMessage().contains("\n"), e.getMessage());
    assertEquals(List.of(), files(), "the jar stays in the folder");
    assertEquals(List.of(), bundles(), "the bundle stays installed");
  }

  private List<String> files() throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.list(watched)) {
      files.forEach(file -> names.add(file.getFileName().toString()));
    }
    return names;
  }

  /** Returns the versions of the bundles with the id. */
  private static List<String> bundles() {
    return Stream.of(Plugins.context().getBundles())
        .filter(bundle -> bundle.getState() != Bundle.UNINSTALLED)
        .filter(bundle -> ID.equals(bundle.getSymbolicName()))
        .map(bundle -> bundle.getVersion().toString())
        .toList();
  }

  private static String deploy(Path jar) throws Exception {
    return CommandsTest.run("roll:deploy '" + jar + "'");
  }

  private static String services() throws Exception {
    return CommandsTest.run("roll:services roll.env");
  }
}
