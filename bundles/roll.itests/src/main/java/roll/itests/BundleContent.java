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

/** The files of a bundle besides its manifest, by path, to build jars from. */
final class BundleContent {
  private BundleContent() {}

  /** Returns the installed bundle {@code name}. */
  static Bundle bundle(String name) {
    return Plugins.bundles()
        .filter(bundle -> name.equals(bundle.getSymbolicName()))
        .findFirst()
        .orElseThrow();
  }

  /** Returns all files of {@code bundle}. */
  static Map<String, byte[]> all(Bundle bundle) throws IOException {
    return find(bundle, "/", "*", true);
  }

  /** Returns the files that {@link Bundle#findEntries} finds, without folders and the manifest. */
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

  /** Returns a jar of {@code content}. */
  static byte[] jar(Manifest manifest, Map<String, byte[]> content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
      jar.setLevel(
          Deflater.NO_COMPRESSION); // uncompressed, since it is read once and may have a hundred
      // megabytes
      for (Map.Entry<String, byte[]> entry : content.entrySet()) {
        jar.putNextEntry(new JarEntry(entry.getKey()));
        jar.write(entry.getValue());
        jar.closeEntry();
      }
    }
    return bytes.toByteArray();
  }
}
