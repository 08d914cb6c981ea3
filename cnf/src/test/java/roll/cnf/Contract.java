package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import aQute.bnd.header.Attrs;
import aQute.bnd.header.OSGiHeader;
import aQute.bnd.header.Parameters;
import aQute.bnd.version.Version;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * The exported packages of this project with their versions.
 *
 * @param versions versions by package
 */
record Contract(Map<String, String> versions) {
  private static final Path ROOT = Path.of(System.getProperty("roll.root"));

  /** The last release, a jar per bundle. */
  static final Path RELEASED = ROOT.resolve("cnf/released");

  /** Writes the current release into {@code folder}. */
  static void release(Path folder) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                ROOT.resolve("cnf/src/Release.java").toString(),
                ROOT.resolve("bundles").toString(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
  }

  /** Returns the contract of plugins in this build. */
  static Contract built() throws IOException {
    Path classes = ROOT.resolve("bundles/roll.api/target/classes");
    try (InputStream in = Files.newInputStream(classes.resolve(JarFile.MANIFEST_NAME))) {
      return of(new Manifest(in));
    }
  }

  /** Returns the exported packages of this project in {@code manifest}. */
  static Contract of(Manifest manifest) {
    Map<String, String> versions = new TreeMap<>();
    Parameters exports =
        OSGiHeader.parseHeader(manifest.getMainAttributes().getValue("Export-Package"));
    for (Map.Entry<String, Attrs> export : exports.entrySet()) {
      if (export.getKey().startsWith("roll.")) {
        versions.put(export.getKey(), export.getValue().getVersion());
      }
    }
    return new Contract(versions);
  }

  /** Returns the version of a package. */
  Version version(String name) {
    return Version.parseVersion(versions.get(name));
  }

  /** Returns whether plugins built against {@code older} still run. */
  boolean keeps(Contract older) {
    return older.versions.keySet().stream()
        .allMatch(
            name ->
                versions.containsKey(name)
                    && version(name).getMajor() == older.version(name).getMajor());
  }

  /** Returns the bundles with a jar in {@code folder}. */
  static Set<String> bundles(Path folder) throws IOException {
    Set<String> names = new TreeSet<>();
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        files
            .map(file -> file.getFileName().toString())
            .filter(file -> file.endsWith(".jar"))
            .forEach(file -> names.add(file.substring(0, file.length() - ".jar".length())));
      }
    }
    return names;
  }
}
