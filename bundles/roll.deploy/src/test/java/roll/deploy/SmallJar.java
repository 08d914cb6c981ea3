package roll.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** A bundle of a few lines, written for a test. */
final class SmallJar {
  private final Map<String, byte[]> entries = new LinkedHashMap<>();
  private final Manifest manifest = new Manifest();

  /** A bundle that exports a package, and so offers something. */
  SmallJar(String name, String version) {
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    header("Bundle-ManifestVersion", "2");
    header("Bundle-SymbolicName", name);
    header("Bundle-Version", version);
    header("Export-Package", name + ".offered");
    entries.put(
        name.replace('.', '/') + "/offered/about.txt", version.getBytes(StandardCharsets.UTF_8));
  }

  SmallJar header(String name, String value) {
    manifest.getMainAttributes().putValue(name, value);
    return this;
  }

  SmallJar without(String name) {
    manifest.getMainAttributes().remove(new Attributes.Name(name));
    return this;
  }

  SmallJar entry(String name) {
    entries.put(name, new byte[0]);
    return this;
  }

  /** With an activator of these tests. */
  SmallJar activator(Class<?> type) throws IOException {
    String path = type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getClassLoader().getResourceAsStream(path)) {
      entries.put(path, Objects.requireNonNull(in).readAllBytes());
    }
    header("Import-Package", "org.osgi.framework");
    return header("Bundle-Activator", type.getName());
  }

  Path write(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        jar.putNextEntry(new ZipEntry(entry.getKey()));
        jar.write(entry.getValue());
      }
    }
    return file;
  }
}
