package roll.start;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.ZipEntry;

/**
 * A distribution packed in one executable jar.
 *
 * @param jar file
 * @param runpath entries on the class path of the launcher
 * @param digest checksum of the list of entries
 */
record PackedDistribution(Path jar, List<String> runpath, String digest) {
  /** Pattern of the digest of a distribution. */
  static final Pattern DIGEST = Pattern.compile("[0-9a-f]{16}");

  private static final String BUNDLES = "jar/";

  /** Folder of libtorch in the jar, which roll.djl unpacks itself. */
  private static final String NATIVE = "native/";

  /** Receives the unpacked files. */
  interface Sink {
    /**
     * Receives one unpacked file.
     *
     * @param path relative to the cache folder, with slashes
     */
    void file(String path, InputStream content) throws IOException;
  }

  /** Returns the jar that this class was loaded from. */
  static PackedDistribution own() throws IOException {
    try {
      var source = PackedDistribution.class.getProtectionDomain().getCodeSource().getLocation();
      return of(Path.of(source.toURI()));
    } catch (URISyntaxException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * Returns the distribution packed in {@code jar}.
   *
   * @throws IOException if it cannot be read or is no executable jar of bnd
   */
  static PackedDistribution of(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile(), false)) {
      String runpath = file.getManifest().getMainAttributes().getValue("Embedded-Runpath");
      if (runpath == null) {
        throw new IOException(jar + " is not an executable jar of bnd");
      }
      StringBuilder list = new StringBuilder();
      for (var entries = file.entries(); entries.hasMoreElements(); ) {
        ZipEntry entry = entries.nextElement();
        list.append(entry.getName()).append('/').append(entry.getSize());
        list.append('/').append(entry.getCrc()).append('\n');
      }
      return new PackedDistribution(jar, List.of(runpath.split(",")), digest(list.toString()));
    }
  }

  private static String digest(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    CRC32 ieee = new CRC32();
    ieee.update(bytes);
    CRC32C castagnoli = new CRC32C();
    castagnoli.update(bytes);
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits((int) ieee.getValue()) + hex.toHexDigits((int) castagnoli.getValue());
  }

  /**
   * Passes all files that the launcher needs to {@code sink}. Bundles with embedded jars are passed
   * file by file: from a folder the framework uses these jars without copying them at every start.
   */
  void unpack(Sink sink) throws IOException {
    try (JarFile file = new JarFile(jar.toFile(), false)) {
      List<ZipEntry> entries = new ArrayList<>();
      file.entries().asIterator().forEachRemaining(entries::add);
      for (ZipEntry entry : entries) {
        String name = entry.getName();
        if (entry.isDirectory() || name.startsWith("META-INF/") || name.startsWith(NATIVE)) {
          continue;
        }
        try (InputStream content = file.getInputStream(entry)) {
          if (name.startsWith(BUNDLES) && holdsJars(file, entry)) {
            explode(name, content, sink);
          } else {
            sink.file(name, content);
          }
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static boolean holdsJars(JarFile file, ZipEntry entry) throws IOException {
    try (JarInputStream bundle = new JarInputStream(file.getInputStream(entry), false)) {
      var manifest = bundle.getManifest();
      return manifest != null
          && manifest.getMainAttributes().containsKey(new Attributes.Name("Bundle-ClassPath"));
    }
  }

  private static void explode(String name, InputStream content, Sink sink) throws IOException {
    // a JarInputStream would not return the manifest as an entry
    var bundle = new java.util.zip.ZipInputStream(content);
    for (ZipEntry e = bundle.getNextEntry(); e != null; e = bundle.getNextEntry()) {
      if (!e.isDirectory()) {
        sink.file(name + "/" + e.getName(), bundle);
      }
    }
  }
}
