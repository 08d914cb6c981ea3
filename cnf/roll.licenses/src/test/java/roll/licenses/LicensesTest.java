package roll.licenses;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import aQute.bnd.osgi.Analyzer;
import aQute.bnd.osgi.EmbeddedResource;
import aQute.bnd.osgi.Jar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The headers and files that the bnd plugin adds to a bundle. */
class LicensesTest {
  @TempDir Path folder;
  private Fixture fixture;
  private final List<Path> classpath = new ArrayList<>();

  @BeforeEach
  void tree() throws IOException {
    fixture = new Fixture(folder);
    classpath.add(
        fixture.library(
            "org.plain",
            "plain-core",
            "1.2",
            Map.of(
                "org/plain/A.class",
                "A",
                "META-INF/LICENSE",
                "the Apache\ntext",
                "META-INF/NOTICE.txt",
                "Plain's notice",
                "org/plain/License.class",
                "L")));
    classpath.add(fixture.library("org.lesser", "sum", "3", Map.of("org/lesser/S.class", "S")));
    classpath.add(
        fixture.library(
            "org.own.sdk",
            "own",
            "4",
            Map.of("META-INF/versions/9/org/own/O.class", "O", "org/own/P.class", "P")));
  }

  /** Returns the bundle roll.x with these entries after the plugin. */
  private Analyzer analyzed(Map<String, byte[]> entries) throws Exception {
    Jar jar = new Jar("roll.x");
    jar.putResource(
        "roll/x/X.class", new EmbeddedResource("X".getBytes(StandardCharsets.UTF_8), 0));
    new TreeMap<>(entries)
        .forEach((name, bytes) -> jar.putResource(name, new EmbeddedResource(bytes, 0)));
    Analyzer analyzer = new Analyzer(jar);
    analyzer.setBase(Files.createDirectories(fixture.tree().resolve("bundles/roll.x")).toFile());
    analyzer.setBundleSymbolicName("roll.x");
    for (Path library : classpath) {
      analyzer.addClasspath(new Jar(library.toFile()));
    }
    new Licenses().analyzeJar(analyzer);
    return analyzer;
  }

  private static String text(Analyzer analyzer, String entry) throws Exception {
    return new String(
        analyzer.getJar().getResource(entry).buffer().array(), StandardCharsets.UTF_8);
  }

  private static List<String> metaInf(Analyzer analyzer) {
    return analyzer.getJar().getResources().keySet().stream()
        .filter(name -> name.startsWith("META-INF/"))
        .sorted()
        .toList();
  }

  @Test
  void aBundleOfOurOwnIsUnderApacheAlone() throws Exception {
    try (Analyzer analyzer = analyzed(Map.of())) {
      assertEquals("Apache-2.0;description=\"roll.x\"", analyzer.getProperty("Bundle-License"));
      assertEquals(List.of("META-INF/LICENSE"), metaInf(analyzer));
      assertEquals("the Apache text", text(analyzer, "META-INF/LICENSE"));
      assertEquals(List.of(), analyzer.getErrors());
    }
  }

  @Test
  void eachLibraryIsNamedAndItsTextsGoAlong() throws Exception {
    Map<String, String> entries =
        Map.of("org/plain/A.class", "A", "org/lesser/S.class", "S", "org/own/O.class", "O");
    try (Analyzer analyzer = analyzed(Fixture.bytes(entries))) {
      assertEquals(List.of(), analyzer.getErrors());
      assertEquals(
          "Apache-2.0;description=\"roll.x, plain-core 1.2\","
              + "LGPL-3.0-only;description=\"sum 3\",MIT;description=\"own 4\"",
          analyzer.getProperty("Bundle-License"));
      assertEquals(
          List.of(
              "META-INF/LICENSE",
              "META-INF/NOTICE",
              "META-INF/licenses/Apache-2.0.txt",
              "META-INF/licenses/GPL-3.0.txt",
              "META-INF/licenses/LGPL-3.0.txt",
              "META-INF/licenses/own-4/LICENSE.txt",
              "META-INF/licenses/plain-core-1.2/NOTICE.txt"),
          metaInf(analyzer));
      String notice = text(analyzer, "META-INF/NOTICE");
      assertTrue(
          notice.contains(
              "- plain-core 1.2: Apache-2.0 (of Apache-2.0 OR EPL-2.0), https://plain.org, sources"
                  + " of org.plain:plain-core:1.2\n"),
          notice);
      assertEquals(
          List.of("org.lesser:sum", "org.own.sdk:own", "org.plain:plain-core"), sorted(notice));
      assertTrue(notice.contains("It may be replaced by another build"), notice);
    }
  }

  private static List<String> sorted(String notice) {
    return Notice.named(notice).stream().sorted().toList();
  }

  @Test
  void aWholeJarInsideCountsToo() throws Exception {
    byte[] whole = Files.readAllBytes(classpath.get(0));
    try (Analyzer analyzer = analyzed(Map.of("lib/plain.jar", whole))) {
      assertEquals(
          "Apache-2.0;description=\"roll.x, plain-core 1.2\"",
          analyzer.getProperty("Bundle-License"));
    }
    try (Analyzer analyzer = analyzed(Map.of("lib/other.jar", new byte[] {1}))) {
      assertEquals(
          List.of(
              "roll.x carries lib/other.jar, of no dependency (left from an earlier build? mvn"
                  + " clean)"),
          analyzer.getErrors());
    }
  }

  @Test
  void aFileForBrowsersCountsTooAndOneOfTheSameNameDoesNot() throws Exception {
    String there = "META-INF/resources/webjars/plain/plain.js";
    classpath.add(fixture.library("org.plain", "plain-web", "7", Map.of(there, "let p = 1;")));
    try (Analyzer analyzer = analyzed(Fixture.bytes(Map.of("roll/x/plain.js", "let p = 1;")))) {
      assertEquals(
          "Apache-2.0;description=\"roll.x, plain-web 7\"", analyzer.getProperty("Bundle-License"));
    }
    try (Analyzer analyzer = analyzed(Fixture.bytes(Map.of("roll/x/plain.js", "let p = 2;")))) {
      assertEquals("Apache-2.0;description=\"roll.x\"", analyzer.getProperty("Bundle-License"));
    }
  }

  @Test
  void aLibraryThatIsNotListedIsAnError() throws Exception {
    classpath.add(fixture.library("org.new", "new", "5", Map.of("org/neu/N.class", "N")));
    try (Analyzer analyzer = analyzed(Fixture.bytes(Map.of("org/neu/N.class", "N")))) {
      assertEquals(
          List.of("roll.x carries new-5.jar, whose license is not in licenses/libraries.txt"),
          analyzer.getErrors());
    }
  }

  @Test
  void aClassOfNoDependencyIsAnError() throws Exception {
    try (Analyzer analyzer = analyzed(Fixture.bytes(Map.of("org/gone/G.class", "G")))) {
      assertEquals(
          List.of(
              "roll.x carries org/gone/G.class, of no dependency (left from an earlier build? mvn"
                  + " clean)"),
          analyzer.getErrors());
    }
  }

  @Test
  void aLicenseWithoutATextIsAnError() throws Exception {
    classpath.add(fixture.library("org.bare", "bare", "6", Map.of("org/bare/B.class", "B")));
    IOException e =
        assertThrows(
            IOException.class,
            () -> analyzed(Fixture.bytes(Map.of("org/bare/B.class", "B"))).close());
    assertEquals(
        "bare 6: the text of its license ISC is neither in its jar nor in licenses/ (bare.txt or"
            + " ISC.txt)",
        e.getMessage());
  }
}
