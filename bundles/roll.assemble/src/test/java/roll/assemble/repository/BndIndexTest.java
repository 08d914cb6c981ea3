package roll.assemble.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.assemble.repository.RepositoryFolder.env;
import static roll.assemble.repository.RepositoryFolder.exports;
import static roll.assemble.repository.RepositoryFolder.imports;
import static roll.testkit.UserErrors.userError;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.deploy.PluginOffer;

/** The offers of an index, and those chosen for a system without any bundle. */
class BndIndexTest {
  private static final InstalledSystem NOTHING = new InstalledSystem(List.of(), Set.of());

  @TempDir Path folder;

  private BndIndex index(RepositoryFolder repository) throws Exception {
    RepositoryFiles files = RepositoryFiles.at(repository.write().toUri());
    return new BndIndex(
        files, "not signed", IndexParser.parse(files.read(), files.index()), NOTHING);
  }

  private static List<String> titles(List<PluginOffer> offers) {
    return offers.stream().map(PluginOffer::title).toList();
  }

  @Test
  void theNewestOfEveryBundleIsListed() throws Exception {
    BndIndex index =
        index(
            new RepositoryFolder(folder)
                .bundle("maze", "1.9.0", env("maze"))
                .bundle("maze", "1.10.0.SNAPSHOT", env("maze"))
                .bundle("maze", "1.10.0", env("maze,labyrinth"))
                .bundle("lake", "1.0.0"));
    assertEquals(List.of("lake 1.0.0", "maze 1.10.0"), titles(index.newest()));
    PluginOffer maze = index.newest().get(1);
    assertEquals(List.of("env=labyrinth", "env=maze"), maze.provides());
    assertEquals("MIT", maze.license());
    assertEquals(Files.size(folder.resolve("maze-1.10.0.jar")), maze.bytes());
    assertEquals(maze, index.at(folder.resolve("maze-1.10.0.jar").toUri()));
    assertNull(index.at(URI.create("file:/elsewhere/maze-1.10.0.jar")));
  }

  @Test
  void aNameOrAPluginIsFoundOrTheNearestIsNamed() throws Exception {
    BndIndex index =
        index(
            new RepositoryFolder(folder)
                .bundle("org.maze", "1.0.0", env("maze"))
                .bundle("a", "1.0.0", env("lake"))
                .bundle("b", "1.0.0", env("lake")));
    for (String wanted : List.of("org.maze", "env=maze", "roll.env=maze")) {
      assertEquals(List.of("org.maze 1.0.0"), titles(index.resolve(wanted)), wanted);
    }
    String file = folder.resolve("index.xml").toString();
    assertEquals(
        file + ": it lists no bundle 'org.mase'; did you mean 'org.maze'?",
        userError(() -> index.resolve("org.mase")));
    assertEquals(
        file + ": several bundles provide env=lake: a, b; name one of them",
        userError(() -> index.resolve("env=lake")));
  }

  /** Each after what it needs; of two providers the newer. */
  @Test
  void whatIsNeededComesFirst() throws Exception {
    BndIndex index =
        index(
            new RepositoryFolder(folder)
                .bundle("maze", "1.0.0", imports("walls", "1.0"), imports("paths", "1.0"))
                .bundle("paths", "1.0.0", exports("paths", "1.0"), imports("walls", "1.0"))
                .bundle("walls", "1.0.0", exports("walls", "1.0"))
                .bundle("walls", "1.1.0", exports("walls", "1.1"))
                .bundle("unneeded", "1.0.0", exports("unneeded", "1.0")));
    assertEquals(
        List.of("walls 1.1.0", "paths 1.0.0", "maze 1.0.0"), titles(index.resolve("maze")));
  }

  @Test
  void theNewestVersionThatResolvesIsChosen() throws Exception {
    BndIndex index =
        index(
            new RepositoryFolder(folder)
                .bundle("maze", "1.0.0")
                .bundle("maze", "2.0.0", imports("roll.api.env", "7.0"))
                .bundle("alone", "1.0.0", imports("helper", "1.0"))
                .bundle("helper", "1.0.0", exports("helper", "1.0"), imports("gone", "3.0")));
    assertEquals(List.of("maze 1.0.0"), titles(index.resolve("maze")));
    PluginOffer newer = index.newest().getLast();
    assertEquals("maze 2.0.0", newer.title());
    assertTrue(
        userError(() -> index.resolve(newer))
            .startsWith(
                "maze 2.0.0: it was built for another version of roll: it needs package"
                    + " roll.api.env in "),
        userError(() -> index.resolve(newer)));
    String alone = userError(() -> index.resolve("alone"));
    assertTrue(alone.startsWith("alone 1.0.0: it needs helper: it needs package gone"), alone);
  }

  @Test
  void bundlesThatNeedEachOtherAreRefused() throws Exception {
    BndIndex index =
        index(
            new RepositoryFolder(folder)
                .bundle("a", "1.0.0", exports("a", "1.0"), imports("b", "1.0"))
                .bundle("b", "1.0.0", exports("b", "1.0"), imports("a", "1.0")));
    assertEquals(
        "a 1.0.0: bundles that it needs need each other (a), and bundles are deployed one after the"
            + " other",
        userError(() -> index.resolve("a")));
  }

  @Test
  void aJarIsFetchedIfItIsWhatTheIndexSays() throws Exception {
    Path target = Files.createDirectory(folder.resolve("target"));
    RepositoryFolder repository = new RepositoryFolder(folder).bundle("maze", "1.0.0");
    Path jar = folder.resolve("maze-1.0.0.jar");
    BndIndex index = index(repository);
    PluginOffer maze = index.newest().getFirst();
    assertEquals(-1, Files.mismatch(jar, index.fetch(maze, target)));
    byte[] bytes = Files.readAllBytes(jar);
    bytes[bytes.length - 1] ^= 1;
    Files.write(jar, bytes);
    assertEquals(
        jar + ": its SHA-256 is not the one in the index",
        userError(() -> index.fetch(maze, target)));
    Files.write(jar, Arrays.copyOf(bytes, bytes.length - 9));
    assertEquals(
        "%s: it has %d bytes, the index says %d: truncated or replaced"
            .formatted(jar, bytes.length - 9, bytes.length),
        userError(() -> index.fetch(maze, target)));
  }

  @Test
  void aJarWithAnotherNameThanTheIndexSaysIsRefused() throws Exception {
    RepositoryFolder.jar(folder.resolve("lake-1.0.0.jar"), "lake", "1.0.0");
    String lake = new RepositoryFolder(folder).bundle("lake", "1.0.0").text();
    Files.writeString(
        folder.resolve("index.xml"), lake.replace("value=\"lake\"", "value=\"maze\""));
    RepositoryFiles files = RepositoryFiles.at(folder.toUri());
    BndIndex index =
        new BndIndex(files, "", IndexParser.parse(files.read(), files.index()), NOTHING);
    PluginOffer maze = index.newest().getFirst();
    assertNotNull(maze);
    assertEquals(
        folder.resolve("lake-1.0.0.jar") + ": it is lake 1.0.0, not maze 1.0.0 as the index says",
        userError(() -> index.fetch(maze, Files.createDirectory(folder.resolve("target")))));
  }

  @Test
  void tenThousandEntriesAreSearched() throws Exception {
    RepositoryFolder repository = new RepositoryFolder(folder);
    for (int i = 0; i < 10_000; i++) {
      repository.entry(
          "bundle" + i, "1.0.0", i + ".jar", 1, "0".repeat(64), exports("p" + i, "1.0"));
    }
    repository.bundle("maze", "1.0.0", imports("p77", "1.0"), imports("p9999", "1.0"));
    BndIndex index = index(repository);
    assertEquals(10_001, index.newest().size());
    assertEquals(
        Set.of("bundle77 1.0.0", "bundle9999 1.0.0", "maze 1.0.0"),
        Set.copyOf(titles(index.resolve("maze"))));
  }
}
