package roll.itests;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.Deflater;
import org.osgi.framework.Bundle;

/** What is in a bundle beside its manifest, by path, for jars that are made of it. */
final class BundleContent {
  private BundleContent() {}

  /** The installed bundle {@code name}. */
  static Bundle bundle(String name) {
    return Plugins.bundles()
        .filter(bundle -> name.equals(bundle.getSymbolicName()))
        .findFirst()
        .orElseThrow();
  }

  /** Everything in {@code bundle}. */
  static Map<String, byte[]> all(Bundle bundle) throws IOException {
    return find(bundle, "/", "*", true);
  }

  /** What {@link Bundle#findEntries} finds; folders and the manifest are left out. */
  static Map<String, byte[]> find(Bundle bundle, String folder, String pattern, boolean below)
      throws IOException {
    Map<String, byte[]> content = new LinkedHashMap<>();
    for (URL entry : Collections.list(bundle.findEntries(folder, pattern, below))) {
      String path = entry.getPath().substring(1);
      if (!path.endsWith("/") && !path.equals("META-INF/MANIFEST.MF")) {
        try (InputStream in = entry.openStream()) {
          content.put(path, in.readAllBytes());
        }
      }
    }
    return content;
  }

  /** A jar of {@code content}. */
  static byte[] jar(Manifest manifest, Map<String, byte[]> content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
      jar.setLevel(Deflater.NO_COMPRESSION); // it is read once, and may have a hundred megabytes
      for (Map.Entry<String, byte[]> entry : content.entrySet()) {
        jar.putNextEntry(new JarEntry(entry.getKey()));
        jar.write(entry.getValue());
        jar.closeEntry();
      }
    }
    return bytes.toByteArray();
  }
}
