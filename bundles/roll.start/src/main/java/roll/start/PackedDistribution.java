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
 * A distribution in one jar.
 *
 * @param jar the jar
 * @param runpath its entries that the launcher itself runs on
 * @param digest changes with every change of an entry
 */
record PackedDistribution(Path jar, List<String> runpath, String digest) {
  /** What every digest looks like. */
  static final Pattern DIGEST = Pattern.compile("[0-9a-f]{16}");

  private static final String BUNDLES = "jar/";

  /** libtorch, which roll.djl takes from the jar itself. */
  private static final String NATIVE = "native/";

  /** Takes what is unpacked, file by file. */
  interface Sink {
    /**
     * One file.
     *
     * @param path below the cache's folder, with slashes
     */
    void file(String path, InputStream content) throws IOException;
  }

  /** The jar that this class was loaded from. */
  static PackedDistribution own() throws IOException {
    try {
      var source = PackedDistribution.class.getProtectionDomain().getCodeSource().getLocation();
      return of(Path.of(source.toURI()));
    } catch (URISyntaxException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * What {@code jar} holds, by its list of entries.
   *
   * @throws IOException if it cannot be read or is not one of bnd's executable jars
   */
  static PackedDistribution of(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile(), false)) {
      String runpath = file.getManifest().getMainAttributes().getValue("Embedded-Runpath");
      if (runpath == null) {
        throw new IOException(jar + " is no executable jar of bnd's");
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
   * Hands out all files the launcher needs. A bundle with jars of its own inside is handed out file
   * by file: the framework would copy these jars at every start, out of a folder it takes them as
   * they lie.
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
    // The plain stream: a stream of a jar keeps the manifest for itself.
    var bundle = new java.util.zip.ZipInputStream(content);
    for (ZipEntry e = bundle.getNextEntry(); e != null; e = bundle.getNextEntry()) {
      if (!e.isDirectory()) {
        sink.file(name + "/" + e.getName(), bundle);
      }
    }
  }
}
