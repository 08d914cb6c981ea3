package roll.licenses;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Problems and added files of jars with nested bundles. */
class DistributionTest {
  private static final Map<String, String> GOOD =
      Map.of(
          "META-INF/LICENSE", "the Apache text",
          "META-INF/NOTICE",
              "roll.x …\n\n- sum 3: LGPL-3.0-only, home, sources of org.lesser:sum:3\n",
          "META-INF/licenses/LGPL-3.0.txt", "the lesser text",
          "META-INF/licenses/sum-3/NOTICE", "Sum's",
          "org/lesser/S.class", "S",
          "roll/x/X.class", "X");

  @TempDir Path folder;
  private Fixture fixture;
  private final Map<String, String> entries = new TreeMap<>(GOOD);
  private final Map<String, String> headers =
      new TreeMap<>(
          Map.of(
              "Bundle-SymbolicName", "roll.x",
              "Bundle-Version", "1.0.0",
              "Bundle-Description", "A sum.",
              "Bundle-License",
                  "Apache-2.0;description=\"roll.x\",LGPL-3.0-only;description=\"sum 3\""));

  @BeforeEach
  void tree() throws IOException {
    fixture = new Fixture(folder);
  }

  private List<String> complaints() throws IOException {
    byte[] jar = Fixture.jar(headers, Fixture.bytes(entries));
    return new LicenseAudit(fixture.known()).complaints(NestedJar.of("roll.x.jar", jar));
  }

  @Test
  void aBundleThatSaysWhatItCarriesIsFine() throws IOException {
    assertEquals(List.of(), complaints());
  }

  @Test
  void aPackageThatNoNamedLibraryHasIsFound() throws IOException {
    entries.put("org/plain/A.class", "A");
    entries.put("org/lesserthan/A.class", "A");
    assertEquals(
        List.of(
            "carries org/lesserthan, which no library in its META-INF/NOTICE has",
            "carries org/plain, which no library in its META-INF/NOTICE has"),
        complaints());
  }

  @Test
  void aPackageOfAJarInsideIsFound() throws IOException {
    byte[] inner = Fixture.jar(Map.of(), Fixture.bytes(Map.of("org/plain/A.class", "A")));
    Map<String, byte[]> all = Fixture.bytes(entries);
    all.put("lib/inner.jar", inner);
    NestedJar bundle = NestedJar.of("roll.x.jar", Fixture.jar(headers, all));
    assertEquals(
        List.of("carries org/plain, which no library in its META-INF/NOTICE has"),
        new LicenseAudit(fixture.known()).complaints(bundle));
  }

  @Test
  void whatIsMissingIsFound() throws IOException {
    headers.put("Bundle-License", "Apache-2.0;description=\"roll.x\"");
    headers.remove("Bundle-Description");
    entries.remove("META-INF/LICENSE");
    entries.put("META-INF/licenses/old-1/NOTICE", "Old");
    assertEquals(
        List.of(
            "has no META-INF/LICENSE",
            "does not name sum 3 in Bundle-License",
            "has META-INF/licenses/old-1/NOTICE, of no library in it (mvn clean)",
            "has no Bundle-Description (the description in its pom)"),
        complaints());
  }

  @Test
  void theJarGetsANoticeAndTheTexts() throws IOException {
    Path jar = folder.resolve("all.jar");
    byte[] plain =
        Fixture.jar(
            Map.of("Bundle-SymbolicName", "org.plain.core", "Bundle-Version", "1.2.0"),
            Fixture.bytes(Map.of("META-INF/NOTICE", "Plain's notice")));
    Map<String, byte[]> content = new TreeMap<>();
    content.put("jar/roll.x-1.jar", Fixture.jar(headers, Fixture.bytes(entries)));
    content.put("jar/plain-core-1.2.jar", plain);
    Files.write(jar, Fixture.jar(Map.of(), content));
    Path beside = folder.resolve("dist");
    Files.createDirectories(beside.resolve("licenses/gone-1"));
    String licenses = fixture.tree().resolve("licenses").toString();
    String natives = fixture.tree().resolve("native").toString();
    Distribution.main(new String[] {licenses, natives, beside.toString(), jar.toString()});
    List<String> expected =
        List.of(
            "LICENSE",
            "NOTICE",
            "licenses/Apache-2.0.txt",
            "licenses/LGPL-3.0.txt",
            "licenses/plain-core-1.2/NOTICE",
            "licenses/sum-3/NOTICE");
    List<String> found = new ArrayList<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      zip.stream()
          .map(entry -> entry.getName())
          .filter(name -> !name.endsWith("/") && !name.startsWith("jar/"))
          .filter(name -> !name.startsWith("META-INF"))
          .sorted()
          .forEach(found::add);
      String notice =
          new String(
              zip.getInputStream(zip.getEntry("NOTICE")).readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(notice, Files.readString(beside.resolve("NOTICE")));
      assertTrue(notice.contains("\n== roll.x 1.0.0\n- sum 3: LGPL-3.0-only"), notice);
      assertTrue(
          notice.contains("\n== org.plain.core 1.2.0\n- plain-core 1.2: Apache-2.0 (of"), notice);
    }
    assertEquals(expected, found);
    assertFalse(Files.exists(beside.resolve("licenses/gone-1")), "of an earlier build");
  }

  @Test
  void equalBundlesGiveEqualJars() throws IOException {
    byte[] bundle = Fixture.jar(headers, Fixture.bytes(entries));
    Path one = distribution("one.jar", Map.of("jar/roll.x-1.jar", bundle), "2026-01-01T00:00:00Z");
    Path two = distribution("two.jar", Map.of("jar/roll.x-1.jar", bundle), "2027-07-07T07:07:07Z");
    assertEquals(-1, Files.mismatch(one, two));
  }

  private Path distribution(String name, Map<String, byte[]> content, String time)
      throws IOException {
    Path jar = folder.resolve(name);
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      ZipEntry inner = new ZipEntry("jar/");
      inner.setTime(Instant.parse(time).toEpochMilli());
      out.putNextEntry(inner);
      for (var file : content.entrySet()) {
        ZipEntry entry = new ZipEntry(file.getKey());
        entry.setTime(Instant.parse(time).toEpochMilli());
        out.putNextEntry(entry);
        out.write(file.getValue());
      }
    }
    String licenses = fixture.tree().resolve("licenses").toString();
    String natives = fixture.tree().resolve("native").toString();
    Distribution.main(
        new String[] {licenses, natives, folder.resolve("out").toString(), jar.toString()});
    return jar;
  }

  @Test
  void theBillNamesEveryJarAndNativeLibraryWithItsLicense() throws IOException {
    entries.put("lib/libsum.so.3", "native");
    entries.put("lib/sum.txt", "text");
    NestedJar ours = NestedJar.of("roll.x-1.jar", Fixture.jar(headers, Fixture.bytes(entries)));
    Map<String, String> natives = Map.of("lib/own.dll", "1", "lib/own.properties", "2");
    Path jar = fixture.library("org.own.any", "own", "7", natives);
    Library own = fixture.known().of(jar).orElseThrow();
    BillOfMaterials bill = new BillOfMaterials(fixture.known());
    bill.add(ours);
    bill.add(own);
    Path file = folder.resolve("x.cdx.json");
    bill.write("x", file);
    String json = Files.readString(file);
    assertEquals(
        """
        "name": "x"
        "version": "1.0.0"
        "name": "roll.x"
        "version": "1.0.0"
        "expression": "Apache-2.0"
        "purl": "pkg:maven/roll/roll.x@1.0.0"
        "bom-ref": "jar/roll.x-1.jar"
        "name": "sum"
        "version": "3"
        "expression": "LGPL-3.0-only"
        "purl": "pkg:maven/org.lesser/sum@3"
        "name": "lib/libsum.so.3"
        "name": "own"
        "version": "7"
        "expression": "MIT"
        "purl": "pkg:maven/org.own.any/own@7"
        "bom-ref": "native/own-7.jar"
        "name": "lib/own.dll"
        """,
        Pattern.compile("\"(?:name|version|expression|purl|bom-ref)\": \"[^\"]*\"")
            .matcher(json)
            .results()
            .map(found -> found.group() + "\n")
            .collect(Collectors.joining()));
    String hash = HexFormat.of().formatHex(sha256("native"));
    assertTrue(json.contains("\"content\": \"" + hash + "\""), json);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aLibraryWithoutALicenseIsNotInTheBill() throws IOException {
    entries.put("META-INF/NOTICE", "…\n\n- new 1: MIT, home, sources of org.unknown:new:1\n");
    BillOfMaterials bill = new BillOfMaterials(fixture.known());
    bill.add(NestedJar.of("roll.x-1.jar", Fixture.jar(headers, Fixture.bytes(entries))));
    IOException e =
        assertThrows(IOException.class, () -> bill.write("x", folder.resolve("x.cdx.json")));
    assertEquals("new is not in licenses/libraries.txt", e.getMessage());
  }
}
