package roll.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script of a distribution that takes CUDA along. */
@Tag("processes")
@EnabledOnOs(value = OS.LINUX, disabledReason = "the layout of libtorch on Linux")
class TakeCudaTest {
  private static final String JNI = "0.35.1-libdjl_torch.so";

  @TempDir Path given;
  private Path venv;
  private Path packages;
  private Path home;

  @BeforeEach
  void make() throws IOException {
    venv = given.toRealPath().resolve("venv");
    packages = Environments.make(venv, "2.7.1+cu128", "12.8").getParent().getParent();
    Files.writeString(packages.resolve("torch/lib/libtorch_python.so"), "of Python");
    Files.writeString(packages.resolve("torch/lib").resolve(JNI), "compiled by build-jni");
    Files.writeString(packages.resolve("torch/lib").resolve(JNI + ".torch"), "2.7.1+cu128\n");
    Path info = Files.createDirectories(packages.resolve("nvidia_cudnn_cu12-9.7.1.26.dist-info"));
    Files.writeString(info.resolve("License.txt"), "its terms");
    home = Files.createDirectories(given.toRealPath().resolve("dist"));
  }

  @Test
  void whatItTakesIsChosenWhereThereIsADriver() throws Exception {
    String said = take(0, venv.toString(), home.toString());
    assertTrue(said.startsWith("torch 2.7.1+cu128 is in " + home + "/native"), said);
    Path natives = home.resolve("native");
    LibtorchChoice choice =
        LibtorchChoice.of(
            LibtorchChoiceTest.inputs(Map.of(), natives, Optional.of(new InstalledDriver(12, 8))));
    assertEquals(natives.resolve("torch/lib"), choice.build().folder());
    assertEquals("cu128", choice.flavour());
    Path text = natives.resolve("licenses/nvidia_cudnn_cu12-9.7.1.26/License.txt");
    assertEquals("its terms", Files.readString(text));
    assertFalse(Files.exists(natives.resolve("torch/lib/libtorch_python.so")));
    assertTrue(Files.exists(natives.resolve("torch/lib").resolve(JNI)));
    assertFalse(Files.exists(natives.resolve("take-cuda.part")));
    String again = take(2, venv.toString(), home.toString());
    assertEquals(
        "take-cuda: there is a " + natives + "/torch already: remove it first", again.strip());
  }

  @Test
  void oneForTheCpuIsNotTaken() throws Exception {
    Files.delete(packages.resolve("torch/lib/libtorch_cuda.so"));
    assertEquals(
        "take-cuda: "
            + venv
            + ": no PyTorch for CUDA is installed there (torch/lib/libtorch_cuda.so)",
        take(2, venv.toString(), home.toString()).strip());
    assertEquals(0, home.toFile().list().length);
  }

  private static String take(int status, String... arguments) throws Exception {
    Path script = Path.of(System.getProperty("roll.root"), "launch/src/dist/take-cuda");
    ProcessBuilder builder = new ProcessBuilder("sh", script.toString());
    builder.command().addAll(List.of(arguments));
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(status, process.waitFor(), said);
    return said;
  }
}
