package roll.djl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NativeJarsTest {
  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, linux-x86_64",
    "Linux, aarch64, linux-aarch64",
    "Mac OS X, aarch64, osx-aarch64",
    "Windows 11, amd64, win-x86_64"
  })
  void namesPlatformsAsDjlDoes(String os, String arch, String platform) {
    assertEquals(platform, NativeJars.platform(os, arch));
  }

  @Test
  void acceptsAPlatformWhoseLibraryIsThere(@TempDir Path folder) throws IOException {
    assertTrue(folderWith(folder, "linux-aarch64").problem("linux-aarch64").isEmpty());
  }

  @Test
  void saysInOneLineWhatIsMissing(@TempDir Path folder) throws IOException {
    String problem = folderWith(folder, "linux-x86_64").problem("osx-x86_64").orElseThrow();
    assertTrue(
        problem.startsWith("no native PyTorch library for osx-x86_64 (found: linux-x86_64);"),
        problem);
    assertEquals(1, problem.lines().count());
  }

  @Test
  void aMissingFolderHasNoJars(@TempDir Path folder) {
    assertEquals(List.of(), NativeJars.in(folder.resolve("absent"), folder).jars());
  }

  @Test
  void jarsInTheStartedJarAreUnpackedOnce(@TempDir Path folder) throws IOException {
    Path started = folder.resolve("all.jar");
    String name = "pytorch-native-cpu-2.7.1-linux-x86_64.jar";
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(started))) {
      out.putNextEntry(new ZipEntry("jar/other.jar"));
      out.putNextEntry(new ZipEntry("native/" + name));
      out.write(new byte[] {1, 2, 3});
    }
    NativeJars natives = NativeJars.in(folder.resolve("absent"), started);
    assertTrue(natives.problem("linux-x86_64").isEmpty());
    assertEquals(List.of(Path.of(name)), natives.jars());
    Path cache = folder.resolve("cache");
    Path file = PackedJars.unpack(started, name, cache);
    assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(file));
    var when = Files.getLastModifiedTime(file);
    assertEquals(file, PackedJars.unpack(started, name, cache));
    assertEquals(when, Files.getLastModifiedTime(file));
    try (Stream<Path> files = Files.list(cache)) {
      assertEquals(List.of(file), files.toList());
    }
    assertEquals(List.of(), NativeJars.in(folder.resolve("absent"), file).jars());
  }

  @Test
  void tokenizersOfThisPlatformAloneAreInTheBundle() {
    String here = NativeJars.platform(System.getProperty("os.name"), System.getProperty("os.arch"));
    for (String library :
        List.of(
            "linux-x86_64/cpu/libtokenizers.so",
            "linux-aarch64/cpu/libtokenizers.so",
            "osx-aarch64/cpu/libtokenizers.dylib",
            "win-x86_64/cpu/tokenizers.dll")) {
      URL found = NativeJars.class.getResource("/native/lib/" + library);
      assertEquals(library.startsWith(here), found != null, library);
    }
  }

  private static NativeJars folderWith(Path folder, String platform) throws IOException {
    Files.createFile(folder.resolve("pytorch-native-cpu-2.7.1-" + platform + ".jar"));
    Files.createFile(folder.resolve("pytorch-jni-2.7.1-0.35.1.jar"));
    return NativeJars.in(folder, folder);
  }
}
