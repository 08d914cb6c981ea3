package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/** Published artifacts have their sources and Javadoc. */
class RepositoryTest {
  private static final Path REPOSITORY =
      Path.of(System.getProperty("roll.root"), "launch/target/dist/repository/roll");

  @Test
  void artifactsHaveSources() throws IOException {
    try (Stream<Path> artifacts = Files.list(REPOSITORY)) {
      for (Path artifact : artifacts.toList()) {
        try (ZipFile zip = new ZipFile(one(artifact, "-sources.jar").toFile())) {
          assertTrue(zip.stream().anyMatch(e -> e.getName().endsWith(".java")), zip.getName());
        }
      }
    }
    assertHas(one(REPOSITORY.resolve("roll.api"), "-sources.jar"), "roll/api/env", "Episode.java");
  }

  @Test
  void oneJavadocHasTheContractAndItsLibraries() throws IOException {
    Path javadoc = one(REPOSITORY.resolve("roll.api"), "-javadoc.jar");
    assertHas(javadoc, "roll/api/env", "Episode.html");
    assertHas(javadoc, "roll/math", "PolicyLossEvaluator.html");
    assertHas(javadoc, "roll/testkit", "EnvironmentContract.html");
  }

  /** A published pom has the run-time dependencies of its bundle. */
  @Test
  void publishedPomsHaveTheDependenciesOfTheirBundles() throws IOException {
    Path root = Path.of(System.getProperty("roll.root"));
    try (Stream<Path> poms = Files.list(root.resolve("launch/src/repository"))) {
      for (Path pom : poms.toList()) {
        String artifact = pom.getFileName().toString().replaceFirst("[.]pom$", "");
        assertEquals(
            ours(root.resolve("bundles").resolve(artifact).resolve("pom.xml")),
            ours(pom),
            artifact);
      }
    }
  }

  private static Set<String> ours(Path pom) throws IOException {
    return Pattern.compile(
            "<groupId>roll</groupId><artifactId>([^<]+)</artifactId>(.*)</dependency>")
        .matcher(Files.readString(pom))
        .results()
        .filter(found -> !found.group(2).contains("<scope>"))
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Path one(Path artifact, String end) throws IOException {
    try (Stream<Path> files = Files.walk(artifact)) {
      List<Path> found = files.filter(file -> file.toString().endsWith(end)).toList();
      assertEquals(1, found.size(), () -> artifact + " has " + found);
      return found.getFirst();
    }
  }

  private static void assertHas(Path jar, String folder, String file) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      assertNotNull(zip.getEntry(folder + "/" + file), () -> jar + " lacks " + folder);
    }
  }
}
