package roll.licenses;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarInputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/**
 * A jar inside a jar.
 *
 * @param file its name, without the folder
 * @param headers headers of its manifest
 * @param entries its files with content, including those of nested jars
 * @param content its bytes
 */
record NestedJar(String file, Attributes headers, Map<String, byte[]> entries, byte[] content) {
  /** Reads the jar {@code content}. */
  static NestedJar of(String file, byte[] content) throws IOException {
    Map<String, byte[]> entries = new TreeMap<>();
    try (JarInputStream in = new JarInputStream(new ByteArrayInputStream(content), false)) {
      read(in, "", entries);
      Manifest manifest = in.getManifest();
      Attributes headers = manifest == null ? new Attributes() : manifest.getMainAttributes();
      return new NestedJar(file, headers, entries, content);
    }
  }

  private static void read(JarInputStream in, String within, Map<String, byte[]> entries)
      throws IOException {
    for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
      String name = within + entry.getName();
      if (entry.isDirectory()) {
        continue;
      }
      byte[] content = in.readAllBytes();
      entries.put(name, content);
      if (name.endsWith(".jar")) {
        try (InputStream inner = new ByteArrayInputStream(content);
            JarInputStream jar = new JarInputStream(inner, false)) {
          read(jar, name + "!/", entries);
        }
      }
    }
  }

  /** Returns a header without parameters; "" if absent. */
  String header(String name) {
    String value = headers.getValue(name);
    return value == null ? "" : value;
  }

  /** Returns the nested jar's symbolic name. */
  String name() {
    return header("Bundle-SymbolicName").replaceFirst(";.*", "");
  }

  /** Returns whether the nested jar belongs to this project. */
  boolean ours() {
    return name().startsWith("roll.");
  }

  /** Returns a text file in it; "" if absent. */
  String text(String entry) {
    byte[] text = entries.get(entry);
    return text == null ? "" : new String(text, StandardCharsets.UTF_8);
  }
}
