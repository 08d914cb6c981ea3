package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.itests.PluginIndexFile.exports;
import static roll.itests.PluginIndexFile.imports;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;

/** Plugins come from a repository with what they need, or nothing comes. */
@Tag("framework")
@Timeout(120)
class PluginRepositoryTest {
  private static final String LAKE = "market_lake";
  private static final String PATHS = "market_paths";

  private final Path watched =
      Path.of(Plugins.context().getProperty("roll.deploy.dir")).toAbsolutePath();

  private final Path folder;

  PluginRepositoryTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @AfterEach
  void cleanUp() throws Exception {
    for (String jar : files()) {
      CommandsTest.run("roll:undeploy " + jar);
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.list(watched)) {
      return all.map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".jar"))
          .sorted()
          .toList();
    }
  }

  private static List<String> installed() {
    return Plugins.bundles()
        .filter(bundle -> List.of(LAKE, PATHS).contains(bundle.getSymbolicName()))
        .map(bundle -> bundle.getSymbolicName() + " " + bundle.getVersion())
        .sorted()
        .toList();
  }

  private String deploy(String what) throws Exception {
    return CommandsTest.run("roll:deploy " + what + " --from '" + folder + "'");
  }

  private String refusal(String what) {
    String line =
        String.valueOf(assertThrows(UserException.class, () -> deploy(what)).getMessage());
    assertEquals(1, line.lines().count(), line);
    return line;
  }

  private Path lake(String version) throws IOException {
    PluginJar jar = new PluginJar(LAKE, version);
    return jar.header("Import-Package", jar.header("Import-Package") + ",market.paths")
        .write(folder, LAKE + "-" + version + ".jar");
  }

  private Path paths() throws IOException {
    return new PluginJar(PATHS, "1.0.0")
        .header("Export-Package", "market.paths;version=\"1.0.0\"")
        .write(folder, "paths.jar");
  }

  /** An index of the library and a lake that needs it. */
  private PluginIndexFile index() throws Exception {
    return new PluginIndexFile(folder)
        .add(paths(), PATHS, "1.0.0", exports("market.paths", "1.0.0"))
        .add(lake("1.0.0"), LAKE, "1.0.0", imports("market.paths", "0"));
  }

  @Test
  void theNewestThatResolvesComesWithWhatItNeeds() throws Exception {
    index().add(lake("2.0.0"), LAKE, "2.0.0", imports("roll.api.env", "7.0")).write();
    String said = deploy("env=" + LAKE);
    assertTrue(
        said.endsWith(
            """
            deployed market_paths 1.0.0: roll.env=market_paths, package market.paths
            deployed market_lake 1.0.0: roll.env=market_lake
            """),
        said);
    assertTrue(
        said.startsWith("not signed\nnot taken: market_lake 2.0.0: it was built for another"),
        said);
    assertTrue(said.contains("\nmarket_paths 1.0.0, license unknown, "), said);
    assertEquals(List.of("market_lake 1.0.0", "market_paths 1.0.0"), installed());
    String listed = CommandsTest.run("roll:deploy --list");
    assertTrue(listed.matches("(?s)name .*\nmarket_lake +1.0.0 .*\nmarket_paths .*"), listed);
    String found = CommandsTest.run("roll:search LAKE --from '" + folder + "'");
    assertTrue(
        found.matches("(?s).*market_lake +2.0.0 +env=market_lake .* 1.0.0 deployed\n"), found);
    assertFalse(found.contains(PATHS), found);
    assertEquals(
        "market_lake 2.0.0: it was built for another version of roll: it needs package"
            + " roll.api.env",
        refusal(LAKE).replaceFirst(" in .*", ""));
    index().write();
    assertTrue(deploy(LAKE).contains("nothing newer than what is here"));
  }

  @Test
  void whatIsRefusedTakesBackWhatItNeeded() throws Exception {
    Path bad = new PluginJar(LAKE, "1.1.0").without("Service-Component").write(folder, "bad.jar");
    new PluginIndexFile(folder)
        .add(paths(), PATHS, "1.0.0", exports("market.paths", "1.0.0"))
        .add(bad, LAKE, "1.1.0", imports("market.paths", "0"))
        .write();
    String line = refusal(LAKE);
    assertTrue(line.contains("it provides no plugin, no command and no package"), line);
    assertEquals(List.of(), files());
    assertEquals(List.of(), installed());

    CommandsTest.run("roll:deploy '" + new PluginJar(LAKE, "1.0.0").write(folder, "a.jar") + "'");
    assertTrue(refusal(LAKE).endsWith("; still running: market_lake 1.0.0: roll.env=market_lake"));
    assertEquals(List.of("market_lake.jar"), files());
    assertEquals(List.of("market_lake 1.0.0"), installed());
  }

  @Test
  void oneJarThatIsNotWhatTheIndexSaysKeepsAllAway() throws Exception {
    index().write();
    Path lake = folder.resolve(LAKE + "-1.0.0.jar");
    byte[] bytes = Files.readAllBytes(lake);
    bytes[bytes.length - 1] ^= 1;
    Files.write(lake, bytes);
    assertEquals(lake + ": its SHA-256 is not the one in the index", refusal(LAKE));
    assertEquals(List.of(), installed());

    Path text = Files.writeString(folder.resolve("text.jar"), "no zip");
    new PluginIndexFile(folder).add(text, LAKE, "1.0.0").write();
    assertTrue(refusal(LAKE).startsWith(text + ": not a jar: "));
    assertEquals(List.of(), files());
  }

  /** The index of a newer roll lists its bundles too: they are no answer to a newer plugin. */
  @Test
  void theDistributionIsNotReplaced() throws Exception {
    index()
        .add(lake("3.0.0"), LAKE, "3.0.0", imports("roll.api.env", "7.0"))
        .add(folder.resolve("paths.jar"), "roll.api", "7.0.0", exports("roll.api.env", "7.0.0"))
        .write();
    deploy(LAKE);
    assertEquals(List.of("market_lake 1.0.0", "market_paths 1.0.0"), installed());
  }
}
