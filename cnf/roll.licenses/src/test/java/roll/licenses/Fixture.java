package roll.licenses;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** A source tree with a list of licenses, next to a Maven repository. */
final class Fixture {
  private final Path folder;

  Fixture(Path folder) throws IOException {
    this.folder = folder;
    Path licenses = Files.createDirectories(folder.resolve("tree/licenses"));
    Files.createDirectories(folder.resolve("tree/native"));
    Files.writeString(folder.resolve("tree/LICENSE"), "the Apache text");
    Files.writeString(licenses.resolve("LGPL-3.0.txt"), "the lesser text");
    Files.writeString(licenses.resolve("GPL-3.0.txt"), "the general text");
    Files.writeString(licenses.resolve("own.txt"), "Copyright Own");
    Files.writeString(
        licenses.resolve(Libraries.LIST),
        """
        # a remark

        org.plain:*    | Apache-2.0 OR EPL-2.0 | https://plain.org  | org.plain
        org.lesser:sum | LGPL-3.0-only         | https://lesser.org | org.lesser
        org.own.*:own  | MIT                   | https://own.org    | org.own
        org.bare:bare  | ISC                   | https://bare.org   | org.bare
        """);
  }

  Path tree() {
    return folder.resolve("tree");
  }

  Libraries known() throws IOException {
    return Libraries.in(tree().resolve("licenses"));
  }

  /** Adds a jar to the repository. */
  Path library(String group, String artifact, String version, Map<String, String> entries)
      throws IOException {
    Path place = folder.resolve("repository").resolve(group.replace('.', '/'));
    Path jar = place.resolve(artifact).resolve(version).resolve(artifact + "-" + version + ".jar");
    Files.createDirectories(jar.getParent());
    return Files.write(jar, jar(Map.of(), bytes(entries)));
  }

  static Map<String, byte[]> bytes(Map<String, String> entries) {
    Map<String, byte[]> bytes = new TreeMap<>();
    entries.forEach((name, text) -> bytes.put(name, text.getBytes(StandardCharsets.UTF_8)));
    return bytes;
  }

  /** Returns a jar with these headers and entries. */
  static byte[] jar(Map<String, String> headers, Map<String, byte[]> entries) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    headers.forEach(manifest.getMainAttributes()::putValue);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream out = new JarOutputStream(bytes, manifest)) {
      for (var entry : entries.entrySet()) {
        out.putNextEntry(new ZipEntry(entry.getKey()));
        out.write(entry.getValue());
      }
    }
    return bytes.toByteArray();
  }
}
