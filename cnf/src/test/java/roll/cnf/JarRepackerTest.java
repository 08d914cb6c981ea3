package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jars of a release, which its archives compress instead. */
@Tag("processes")
class JarRepackerTest {
  private static final Path ROOT = Path.of(System.getProperty("roll.root"));

  @TempDir Path folder;

  @Test
  void theJarsInAJarAreStoredToo() throws Exception {
    byte[] text = "roll ".repeat(1000).getBytes(StandardCharsets.UTF_8);
    byte[] library = jar(Map.of("a.class", text));
    byte[] bundle = jar(Map.of("lib/library.jar", library, "b.class", text));
    Path jar =
        Files.write(
            folder.resolve("all.jar"),
            jar(
                Map.of(
                    "jar/bundle.jar",
                    bundle,
                    "jnilib/here/cpu/torch.so",
                    text,
                    "jnilib/there/cpu/torch.so",
                    text,
                    "jnilib/version",
                    text,
                    "start",
                    text)));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                ROOT.resolve("cnf/src/JarRepacker.java").toString(),
                "here",
                folder.toString())
            .inheritIO()
            .start();
    assertEquals(0, process.waitFor());
    SortedMap<String, byte[]> all = stored(Files.readAllBytes(jar));
    assertEquals(
        List.of("jar/bundle.jar", "jnilib/here/cpu/torch.so", "jnilib/version"),
        List.copyOf(all.keySet()));
    assertArrayEquals(text, all.get("jnilib/here/cpu/torch.so"));
    SortedMap<String, byte[]> inner = stored(all.get("jar/bundle.jar"));
    assertArrayEquals(text, inner.get("b.class"));
    assertArrayEquals(text, stored(inner.get("lib/library.jar")).get("a.class"));
  }

  private static byte[] jar(Map<String, byte[]> entries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream jar = new ZipOutputStream(bytes)) {
      for (var entry : entries.entrySet()) {
        jar.putNextEntry(new ZipEntry(entry.getKey()));
        jar.write(entry.getValue());
      }
    }
    return bytes.toByteArray();
  }

  /** Returns the entries of a jar, of which none is compressed. */
  private static SortedMap<String, byte[]> stored(byte[] jar) throws IOException {
    SortedMap<String, byte[]> entries = new TreeMap<>();
    try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(jar))) {
      for (ZipEntry entry; (entry = in.getNextEntry()) != null; ) {
        assertEquals(ZipEntry.STORED, entry.getMethod(), entry.getName());
        entries.put(entry.getName(), in.readAllBytes());
      }
    }
    return entries;
  }
}
