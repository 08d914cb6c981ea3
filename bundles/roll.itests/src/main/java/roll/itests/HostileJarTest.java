package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.osgi.framework.Bundle;
import roll.api.option.UserException;

/**
 * Jars that write outside their storage, shadow packages, or block others are refused in one line,
 * by {@code deploy} and in the watched folder alike.
 */
@Tag("framework")
@Timeout(180)
class HostileJarTest {
  private static final String ID = "hostile_lake";
  private static final String COMPONENT = "OSGI-INF/roll.env.frozen_lake.xml";

  private final Path folder;
  private final Path watched =
      Path.of(Plugins.context().getProperty("roll.deploy.dir")).toAbsolutePath();

  HostileJarTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** Restores the folder. */
  @AfterEach
  void cleanUp() throws Exception {
    Files.deleteIfExists(watched.resolve("e-broken.jar"));
    for (String name : files()) {
      CommandsTest.run("roll:undeploy '" + name + "'");
    }
    assertEquals(List.of(), deployed());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "../../../../X | is invalid (allowed:",
        "/tmp/X | is invalid (allowed:",
        "a/b | is invalid (allowed:",
        ".. | is invalid (allowed:",
        "a..b | is invalid (allowed:",
        ".hidden | is invalid (allowed:",
        "a b | is invalid (allowed:",
        "roll.core | the name roll.core is reserved by this distribution; choose another name",
        "Roll.Core | is reserved by this distribution",
        "roll.api;singleton:=true | is reserved by this distribution",
        "system.bundle | is reserved by this distribution",
        "org.apache.felix.framework | is reserved by this distribution",
        "org.apache.felix.scr | is reserved by this distribution"
      })
  void aNameThatIsNotItsOwn(String name, String reason) throws Exception {
    refused(new PluginJar(ID, "7.0.0").header("Bundle-SymbolicName", name), reason);
    assertFalse(Files.exists(watched.resolve("../../../../X.jar").normalize()));
  }

  /** A jar may replace a shipped plugin by another version. */
  @Test
  void anotherVersionOfAPluginThatIsShipped() throws Exception {
    Path jar = new PluginJar("roll.env.sokoban", "99.0.0").write(folder, "newer.jar");
    assertTrue(deploy(jar).startsWith("deployed roll.env.sokoban 99.0.0"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Export-Package | roll.api.env;version=\"1.9\" | it exports package roll.api.env, which",
        "Export-Package | roll.api.mine | it exports package roll.api.mine, which is reserved",
        "Export-Package | org.slf4j;x-friends:=\"a\" | it exports package org.slf4j, which"
            + " roll.log",
        "Export-Package | org.osgi.framework | it exports package org.osgi.framework, which",
        "Export-Package | com.google.gson;x-internal:=true | it exports package com.google.gson",
        "Provide-Capability | osgi.extender;osgi.extender=osgi.component;version:Version=1.5"
            + " | it provides the capability osgi.extender",
        "Fragment-Host | roll.core | it is a fragment",
        "Fragment-Host | system.bundle;extension:=framework | it is a fragment",
        "fragment-host | system.bundle | it is a fragment",
        "Bundle-ClassPath | .,../../lib.jar | leaves the jar",
        "Bundle-NativeCode | ../../../x.so;osname=Linux | leaves the jar",
        "Bundle-NativeCode | x.so;osname=Plan9 | osgi.native",
        "Bundle-Version | 1.0.0.a/../b | is not a version",
        "Require-Bundle | no.such.bundle | no.such.bundle"
      })
  void aManifestThatTakesMore(String header, String value, String reason) throws Exception {
    refused(new PluginJar(ID, "1.0.0").header(header, value), reason);
  }

  @ParameterizedTest
  @CsvSource({"../evil.txt", "/evil.txt", "a/../../evil.txt", "a\\..\\evil.txt"})
  void anEntryThatLeadsOutOfIt(String name) throws Exception {
    refused(new PluginJar(ID, "1.0.0").entry(name, new byte[1]), "leaves the jar");
  }

  @Test
  void aDescriptionThatReadsFilesOrHasNoEnd() throws Exception {
    String readsFiles =
        "<!DOCTYPE c [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><component name=\"a\">&x;"
            + "</component>";
    refused(described(readsFiles.getBytes(StandardCharsets.UTF_8)), "has a document type");
    String laughs = "<!DOCTYPE c [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><component>&b;";
    refused(described(laughs.getBytes(StandardCharsets.UTF_16)), "has a document type");
    refused(described("<component>".getBytes(StandardCharsets.UTF_8)), "is not XML");
    refused(described(new byte[2 << 20]), "is longer than 1 MiB");
  }

  private static PluginJar described(byte[] xml) throws IOException {
    return new PluginJar(ID, "1.0.0").entry(COMPONENT, xml);
  }

  @Test
  void whatIsNoJar() throws Exception {
    byte[] whole = Files.readAllBytes(new PluginJar(ID, "1.0.0").write(folder, "whole.jar"));
    Path half = Files.write(folder.resolve("half.jar"), Arrays.copyOf(whole, whole.length / 2));
    refused(half, "not a jar (");
    refused(Files.createDirectory(folder.resolve("folder.jar")), "found a folder");
    refused(Files.write(folder.resolve("nothing.jar"), new byte[0]), "not a jar (");
    Path odd = folder.resolve("a\u001b[31m\nb.jar");
    refused(Files.write(odd, new byte[3]), "refused a [31m b.jar: not a jar (");
    refused(
        new PluginJar(ID, "1.0.0").header("X", "x".repeat(2 << 20)),
        "MANIFEST.MF is longer than 1 MiB");
  }

  /** FIFOs, folders and refused jars in the watched folder block no others. */
  @Test
  void whatLiesInTheFolder() throws Exception {
    new PluginJar(ID, "1.0.0")
        .header("Export-Package", "roll.api.env")
        .write(watched, "a-export.jar");
    new PluginJar(ID, "1.0.0")
        .header("Fragment-Host", "system.bundle;extension:=framework")
        .write(watched, "a-fragment.jar");
    new PluginJar(ID, "1.0.0").header("Bundle-SymbolicName", "roll.core").write(watched, "b.jar");
    new PluginJar(ID, "1.0.0").header("Bundle-SymbolicName", "../x").write(watched, "c.jar");
    Path elsewhere = new PluginJar("linked_lake", "1.0.0").write(folder, "moved.jar");
    Files.createSymbolicLink(watched.resolve("d-link.jar"), elsewhere);
    Files.createSymbolicLink(watched.resolve("e-broken.jar"), folder.resolve("absent"));
    new PluginJar("good_lake", "1.0.0").write(watched, "z.jar");
    Waits.until(() -> deployed().contains("good_lake"));
    assertEquals(List.of("linked_lake", "good_lake"), deployed());
  }

  @Test
  void aBlockingStartDelaysNoOtherJar() throws Exception {
    PluginJar stuck =
        new PluginJar(ID, "1.0.0")
            .with(StuckActivator.class)
            .header("Bundle-Activator", StuckActivator.class.getName());
    stuck.header("Import-Package", stuck.header("Import-Package") + ",org.osgi.framework");
    refused(
        stuck.write(folder, "stuck.jar"),
        "its activator or a component did not return within 8 s (at roll.itests.StuckActivator");
    Path good = new PluginJar("good_lake", "1.0.0").write(folder, "good.jar");
    assertEquals("deployed good_lake 1.0.0: roll.env=good_lake\n", deploy(good));
    CommandsTest.run("roll:undeploy good_lake");
  }

  private void refused(PluginJar jar, String reason) throws Exception {
    refused(jar.write(folder, "hostile.jar"), reason);
  }

  private void refused(Path jar, String reason) throws Exception {
    refusedOnly(jar, reason);
    assertEquals(List.of(), deployed(), "the bundle stays installed");
  }

  private void refusedOnly(Path jar, String reason) throws Exception {
    UserException e = assertThrows(UserException.class, () -> deploy(jar));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains(reason), message);
    assertFalse(message.chars().anyMatch(Character::isISOControl), message);
    assertEquals(List.of(), files(), "the jar stays in the folder");
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(watched)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".jar"))
          .toList();
    }
  }

  /** Returns the names of the bundles from the folder. */
  private List<String> deployed() {
    String place = watched.toFile().toURI().toString(); // bundle locations have one slash
    return Stream.of(Plugins.context().getBundles())
        .filter(bundle -> bundle.getLocation().startsWith(place))
        .map(Bundle::getSymbolicName)
        .toList();
  }

  private static String deploy(Path jar) throws Exception {
    return CommandsTest.run("roll:deploy '" + jar + "'");
  }
}
