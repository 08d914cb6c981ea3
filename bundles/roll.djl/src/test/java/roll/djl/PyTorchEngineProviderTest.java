package roll.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.jni.LibUtils;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Another process computes with the libtorch of a Python environment, as wheels lay it out. */
@Tag("processes")
@EnabledOnOs(value = OS.LINUX, disabledReason = "the layout of libtorch on Linux")
class PyTorchEngineProviderTest {
  @TempDir Path home;

  @Test
  void theLibtorchOfAPythonEnvironmentComputes() throws Exception {
    Path torch = Files.createDirectories(home.resolve("lib/python3.12/site-packages/torch"));
    Path libraries = Files.createDirectory(torch.resolve("lib")).toRealPath();
    Engine.getInstance(); // unpacks the one for the CPU
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(Path.of(LibUtils.getLibtorchPath()), "lib*")) {
      for (Path file : files) {
        link(libraries.resolve(file.getFileName()), file);
      }
    }
    // unrelated files that cannot be loaded: extensions, tests, programs
    Files.writeString(libraries.resolve("libshm.so"), "no library");
    Files.writeString(torch.resolve("version.py"), "__version__ = '2.7.1+cpu'\ncuda = None\n");
    assertEquals("22.0 in " + libraries, compute());
    Files.writeString(torch.resolve("version.py"), "__version__ = '2.8.0+cpu'\ncuda = None\n");
    String refusal = compute();
    assertTrue(
        refusal.startsWith("ROLL_PYTHON=" + home + ": torch 2.8.0+cpu for the CPU in "), refusal);
    assertTrue(refusal.contains(": only version 2.7.1 fits; install torch 2.7.1"), refusal);
  }

  private static void link(Path link, Path file) throws IOException {
    try {
      Files.createLink(link, file);
    } catch (IOException | UnsupportedOperationException elsewhere) {
      Files.copy(file, link);
    }
  }

  private String compute() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-Dai.djl.offline=true",
                "-DOPT_OUT_TRACKING=true",
                "-DDJL_CACHE_DIR=" + home.resolve("cache"),
                "-Droll.python=" + home,
                "-cp",
                System.getProperty("java.class.path"),
                PyTorchEngineProviderTest.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said.lines().reduce("", (a, b) -> b);
  }

  /** The other process. */
  public static void main(String[] arguments) {
    try (NDManager manager = NDManager.newBaseManager()) {
      NDArray product = manager.create(new float[] {2, 4}).dot(manager.create(new float[] {3, 4}));
      System.out.println(product.getFloat() + " in " + LibUtils.getLibtorchPath());
    } catch (EngineException refused) {
      System.out.println(refused.getMessage());
    }
  }
}
