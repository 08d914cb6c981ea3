package roll.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the removal of files of a process that was killed while unpacking. */
class NativeLibraryFolderTest {
  @TempDir Path home;

  @Test
  void whatWasCutOffGoesAndWhatIsWholeStays() throws Exception {
    NativeLibraryFolder libraries = NativeLibraryFolder.of(null, home.toString(), "/nowhere");
    Path ours = home.resolve("roll/djl");
    assertEquals(ours, libraries.folder());
    Path whole = Files.createDirectories(ours.resolve("pytorch/2.7.1-cpu-linux-x86_64"));
    Path cut = Files.createDirectories(ours.resolve("pytorch/tmp1234"));
    Files.writeString(cut.resolve("libtorch_cpu.so"), "half");
    Path jni = Files.writeString(ours.resolve("pytorch/jni77tmp"), "half");
    Path jar = Files.createDirectories(ours.resolve("roll")).resolve("libtorch.jar7.part");
    Files.writeString(jar, "half");
    assertEquals("loaded", libraries.loading(() -> "loaded"));
    assertTrue(Files.exists(whole));
    assertFalse(Files.exists(cut));
    assertFalse(Files.exists(jni));
    assertFalse(Files.exists(jar));
  }

  @Test
  void tokenizersOfAProcessThatSeesCardsServeOneThatSeesNone() throws Exception {
    NativeLibraryFolder libraries = NativeLibraryFolder.of(null, home.toString(), "/nowhere");
    Path outer = home.resolve("roll/djl/tokenizers/0.21.0-0.35.1-cpu-linux-x86_64");
    String name = System.mapLibraryName("tokenizers");
    Files.writeString(Files.createDirectories(outer.resolve("90")).resolve(name), "tokenizers");
    libraries.loading(() -> 0);
    assertEquals("tokenizers", Files.readString(outer.resolve(name)));
    Files.writeString(outer.resolve(name), "its own");
    libraries.loading(() -> 0);
    assertEquals("its own", Files.readString(outer.resolve(name)));
    try (var left = Files.list(outer)) {
      assertEquals(2, left.count());
    }
  }

  @Test
  @Tag("processes")
  void whatAnotherUnpacksMeanwhileStays() throws Exception {
    NativeLibraryFolder libraries = NativeLibraryFolder.of(null, null, home.toString());
    Path unpacking = home.resolve(".cache/roll/djl/tokenizers/tmp5");
    libraries.loading(
        () -> {
          try {
            Files.createDirectories(unpacking);
            Process other =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        NativeLibraryFolderTest.class.getName(),
                        home.toString())
                    .inheritIO()
                    .start();
            return assertDoesEnd(other);
          } catch (java.io.IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    assertTrue(Files.exists(unpacking));
    libraries.loading(() -> 0);
    assertFalse(Files.exists(unpacking));
  }

  private static int assertDoesEnd(Process process) throws InterruptedException {
    assertEquals(0, process.waitFor());
    return 0;
  }

  /** Another process that loads. */
  public static void main(String[] arguments) throws Exception {
    NativeLibraryFolder.of(null, null, arguments[0]).loading(() -> 0);
  }

  @Test
  void aFolderThatTheUserNamedIsNotOurs() {
    assertNull(NativeLibraryFolder.of(home.toString(), null, home.toString()).folder());
    assertEquals(0, home.toFile().list().length);
  }
}
