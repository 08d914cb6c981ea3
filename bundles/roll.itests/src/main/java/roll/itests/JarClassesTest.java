package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.osgi.framework.Bundle;
import roll.api.option.UserException;

/** Jars with unusable classes do not affect the bundle they would replace. */
@Tag("framework")
@Timeout(180)
class JarClassesTest {
  private static final String ID = "read_lake";
  private static final String PLACE = "roll.env.frozen_lake.".replace('.', '/');
  private static final String COMPONENT = PLACE + "FrozenLakeEnvironment.class";

  private final Path folder;
  private final Path watched =
      Path.of(Plugins.context().getProperty("roll.deploy.dir")).toAbsolutePath();

  JarClassesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeEach
  void deployOne() throws Exception {
    deploy(new PluginJar(ID, "1.0.0"));
  }

  @AfterEach
  void cleanUp() throws Exception {
    CommandsTest.run("roll:undeploy " + ID);
  }

  /** Corruptions of a class file, by name of the test. */
  private static final Map<String, UnaryOperator<byte[]>> CHANGES =
      Map.of(
          "cut", bytes -> Arrays.copyOf(bytes, bytes.length / 2),
          "shorter", bytes -> Arrays.copyOf(bytes, bytes.length - 1),
          "empty", bytes -> new byte[0],
          "text", bytes -> "no class".getBytes(StandardCharsets.US_ASCII),
          "newer", JarClassesTest::newer);

  private static byte[] change(String name, byte[] whole) {
    return Objects.requireNonNull(CHANGES.get(name), name).apply(whole);
  }

  private static byte[] newer(byte[] bytes) {
    byte[] changed = bytes.clone();
    changed[7] = 99;
    return changed;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cut | FrozenLakeEnvironment | its class roll.env.frozen_lake.FrozenLakeEnvironment cannot",
        "shorter | FrozenLakeEnvironment | cannot be read",
        "empty | FrozenLakeEnvironment | cannot be read",
        "text | FrozenLakeEnvironment | cannot be read",
        "newer | FrozenLakeEnvironment | requires Java 55, this is Java ",
        "cut | LakeMap | its class roll.env.frozen_lake.LakeMap cannot be read",
        "newer | LakeCell | its class roll.env.frozen_lake.LakeCell requires Java 55"
      })
  void aClassThatCannotBeRead(String change, String name, String reason) throws Exception {
    String path = PLACE + name + ".class";
    byte[] whole = new PluginJar(ID, "1.1.0").content(path);
    refused(new PluginJar(ID, "1.1.0").entry(path, change(change, whole)), reason);
  }

  @ParameterizedTest
  @CsvSource({
    "FrozenLakeEnvironment, its class roll.env.frozen_lake.FrozenLakeEnvironment is not in the jar",
    "LakeMap, which is neither in the jar nor imported",
    "FrozenLakeScenario, which is neither in the jar nor imported"
  })
  void aClassThatIsNotThere(String name, String reason) throws Exception {
    refused(new PluginJar(ID, "1.1.0").withoutEntry(PLACE + name + ".class"), reason);
  }

  /** A jar with its own copy of the service interface, which differs from the run's type. */
  @Test
  void theInterfaceItselfInTheJar() throws Exception {
    Bundle api = BundleContent.bundle("roll.api");
    PluginJar jar = new PluginJar(ID, "1.1.0");
    BundleContent.find(api, "roll/api/", "*.class", true).forEach(jar::entry);
    refused(jar, "it contains its own copy of roll.api (class roll.api.");
    PluginJar alone = new PluginJar(ID, "1.1.0");
    BundleContent.find(api, "roll/api/", "*.class", true).forEach(alone::entry);
    refused(alone.header("Import-Package", "org.slf4j"), "it contains its own copy of roll.api");
  }

  /** A class that uses the service's packages without an import. */
  @Test
  void whatIsUsedWithoutAnImport() throws Exception {
    PluginJar jar = new PluginJar(ID, "1.1.0");
    String imports = jar.header("Import-Package");
    String fewer = imports.replaceFirst("roll\\.api\\.env;version=\"[^\"]*\",?", "");
    assertFalse(fewer.equals(imports), imports);
    refused(jar.header("Import-Package", fewer), "is neither in the jar nor imported");
  }

  /**
   * A package that is both exported and importable is loaded from the jar, not from the older
   * version.
   */
  @Test
  void anOwnPackageIsReadFromTheJar() throws Exception {
    PluginJar first = exporting("1.1.0");
    deploy(first);
    byte[] whole = first.content(COMPONENT);
    UserException e =
        assertThrows(
            UserException.class,
            () -> deploy(exporting("1.2.0").entry(COMPONENT, change("cut", whole))));
    assertTrue(e.getMessage().contains("cannot be read"), e.getMessage());
    deploy(exporting("1.3.0"));
    assertEquals("1.3.0", bundle().getVersion().toString());
  }

  private static PluginJar exporting(String version) throws Exception {
    PluginJar jar = new PluginJar(ID, version);
    String imports = jar.header("Import-Package");
    return jar.header("Export-Package", "roll.env.frozen_lake;version=\"1.0.0\"")
        .header("Import-Package", imports + ",roll.env.frozen_lake");
  }

  /** A dropped file with unusable classes leaves the replaced bundle active. */
  @Test
  void aFileThatIsDroppedOverTheOlderOne() throws Exception {
    long before = bundle().getLastModified();
    byte[] whole = new PluginJar(ID, "1.1.0").content(COMPONENT);
    new PluginJar(ID, "1.1.0").entry(COMPONENT, change("cut", whole)).write(watched, ID + ".jar");
    Path other = new PluginJar("other_lake", "1.0.0").write(watched, "other.jar");
    Waits.until(() -> other());
    assertServes(before);
    Files.delete(other);
    Waits.until(() -> !other());
  }

  private static boolean other() {
    return Plugins.bundles().anyMatch(b -> "other_lake".equals(b.getSymbolicName()));
  }

  private void refused(PluginJar jar, String reason) throws Exception {
    long before = bundle().getLastModified();
    UserException e = assertThrows(UserException.class, () -> deploy(jar));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains(reason), message);
    assertFalse(message.chars().anyMatch(Character::isISOControl), message);
    assertServes(before);
  }

  private static void assertServes(long before) {
    assertEquals("1.0.0", bundle().getVersion().toString());
    assertEquals(Bundle.ACTIVE, bundle().getState());
    assertEquals(before, bundle().getLastModified(), "updated meanwhile");
    assertEquals(0, Plugins.bundles().filter(b -> b.getSymbolicName().endsWith("trial")).count());
  }

  private static Bundle bundle() {
    return BundleContent.bundle(ID);
  }

  private void deploy(PluginJar jar) throws Exception {
    CommandsTest.run("roll:deploy '" + jar.write(folder, "a.jar") + "'");
  }
}
