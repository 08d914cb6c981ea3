package roll.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a library with the function of NVIDIA's driver, as its header declares it. */
@Tag("processes")
class InstalledDriverTest {
  @TempDir Path folder;

  @Test
  void saysTheNewestCudaItRuns() throws Exception {
    String library = compile("int cuDriverGetVersion(int *v) { *v = 12080; return 0; }");
    assertEquals(Optional.of(new InstalledDriver(12, 8)), InstalledDriver.of(library));
    assertEquals("a driver for CUDA 12.8", InstalledDriver.of(library).get().toString());
  }

  @Test
  void aDriverThatDoesNotAnswerIsNone() throws Exception {
    String failing = compile("int cuDriverGetVersion(int *v) { *v = 12080; return 999; }");
    assertEquals(Optional.empty(), InstalledDriver.of(failing));
    assertEquals(Optional.empty(), InstalledDriver.of("/nowhere/libcuda.so.1"));
  }

  private String compile(String code) throws IOException, InterruptedException {
    Path source = Files.writeString(Files.createTempFile(folder, "driver", ".c"), code);
    String library = source + ".so";
    Process compiler;
    try {
      compiler =
          new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", library, source.toString())
              .inheritIO()
              .start();
    } catch (IOException absent) {
      assumeTrue(false, "no gcc on the PATH");
      throw absent;
    }
    assertEquals(0, compiler.waitFor());
    return library;
  }
}
