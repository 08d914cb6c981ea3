package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import aQute.bnd.header.OSGiHeader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;

/**
 * Bundles import the packages of this project that their classes use, also if imports are written
 * by hand.
 */
class ImportsTest {
  @Test
  void whatIsUsedIsImported() throws IOException {
    Map<String, Set<String>> missing = new TreeMap<>();
    for (Path bundle : HouseTest.bundles()) {
      Path manifest = bundle.resolve("target/classes/META-INF/MANIFEST.MF");
      if (Files.exists(manifest)) {
        PackageGraph graph = PackageGraph.of(List.of(bundle.resolve("target/classes")));
        Set<String> used = new TreeSet<>(graph.used());
        used.removeAll(graph.packages());
        used.removeAll(imports(manifest));
        missing.put(bundle.getFileName().toString(), used);
      }
    }
    missing.values().removeIf(Set::isEmpty);
    assertEquals(Map.of(), missing);
  }

  private static Set<String> imports(Path manifest) throws IOException {
    try (InputStream in = Files.newInputStream(manifest)) {
      String header = new Manifest(in).getMainAttributes().getValue("Import-Package");
      return OSGiHeader.parseHeader(header).keySet();
    }
  }
}
