package roll.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the selection of builds that fit; refusals are in {@link LibtorchRefusalsTest}. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the layout of libtorch on Linux")
class LibtorchChoiceTest {
  static final LibtorchCompatibility FITTING =
      new LibtorchCompatibility("2.7.1", "0.35.1", List.of("cpu", "cu126", "cu128"));

  @TempDir Path given;
  Path folder;

  @BeforeEach
  void real() throws IOException {
    folder = given.toRealPath();
  }

  @Test
  void withoutAWordTheOneOfRollIsTakenAndNothingIsLookedInto() {
    LibtorchChoice choice =
        LibtorchChoice.of(
            new LibtorchSources(
                name -> null, folder, () -> fail("asked"), () -> fail("asked for a driver")));
    assertNull(choice.build());
    assertEquals("the one that comes with roll", choice.line());
    assertEquals(Map.of(), choice.properties());
  }

  @Test
  void aPythonEnvironmentForCuda() throws IOException {
    Path venv = folder.resolve("venv");
    Path libraries = Environments.make(venv, "2.7.1+cu128", "12.8");
    LibtorchChoice choice = choose(Map.of("ROLL_PYTHON", venv.toString()));
    assertEquals(
        "torch 2.7.1+cu128 for CUDA 12.8, in "
            + libraries
            + " (ROLL_PYTHON), a driver for CUDA 12.9",
        choice.line());
    Path runtime = venv.resolve("lib/python3.12/site-packages/nvidia/cudart/lib");
    assertEquals(
        Map.of(
            "PYTORCH_LIBRARY_PATH", libraries.toString(),
            "PYTORCH_VERSION", "2.7.1",
            "PYTORCH_FLAVOR", "cu128",
            "PYTORCH_LIBRARY_EXCLUSION", "libtorch.so,libtorch_cpu.so,libtorch_cuda.so",
            "jna.library.path", runtime.toString()),
        choice.properties());
  }

  @Test
  void oneForTheCpuNeedsNoDriver() throws IOException {
    Path libraries = Environments.make(folder.resolve("venv"), "2.7.1+cpu", "");
    LibtorchChoice choice =
        LibtorchChoice.of(
            inputs(Map.of("PYTORCH_LIBRARY_PATH", libraries.toString()), folder, Optional.empty()));
    assertEquals("cpu", choice.flavour());
    assertEquals(
        "torch 2.7.1+cpu for the CPU, in " + libraries + " (PYTORCH_LIBRARY_PATH)", choice.line());
  }

  @Test
  void anotherVersionWithAJniLibraryOfItsOwn() throws IOException {
    Path libraries = Environments.make(folder.resolve("venv"), "2.11.0+cu130", "13.0");
    Files.writeString(libraries.resolve("0.35.1-libdjl_torch.so"), "compiled");
    Files.writeString(libraries.resolve("0.35.1-libdjl_torch.so.torch"), "2.11.0+cu130\n");
    LibtorchChoice choice =
        LibtorchChoice.of(
            inputs(
                Map.of("PYTORCH_LIBRARY_PATH", libraries.toString()),
                folder,
                Optional.of(new InstalledDriver(13, 0))));
    assertEquals("cu130", choice.flavour());
    assertEquals("2.11.0", choice.properties().get("PYTORCH_VERSION"));
  }

  @Test
  void anotherCudaOfTheSameMajorNumberHasTheNearestJniLibrary() throws IOException {
    Path venv = folder.resolve("venv");
    Environments.make(venv, "2.7.1+cu129", "12.9");
    assertEquals("cu128", choose(Map.of("ROLL_PYTHON", venv.toString())).flavour());
  }

  @Test
  void anArchiveOfLibtorchSaysItsVersionInAFile() throws IOException {
    Path libraries = Environments.make(folder, "?", "12.6");
    Files.delete(libraries.resolveSibling("version.py"));
    Files.writeString(libraries.resolveSibling("build-version"), "2.7.1+cu126\n");
    LibtorchChoice choice = choose(Map.of("PYTORCH_LIBRARY_PATH", libraries + "/libtorch.so"));
    assertEquals("cu126", choice.flavour());
  }

  @Test
  void whereNoFileSaysTheVersionTheVariableDoes() throws IOException {
    Path libraries = Environments.make(folder, "?", "12.6");
    Files.delete(libraries.resolveSibling("version.py"));
    LibtorchChoice choice =
        choose(
            Map.of("PYTORCH_LIBRARY_PATH", folder + ":" + libraries, "PYTORCH_VERSION", "2.7.1"));
    assertEquals("torch 2.7.1 for CUDA 12", choice.build().name());
    assertEquals("cu128", choice.flavour());
  }

  @Test
  void theDistributionsOwnIsTakenWhereItFitsAndPassedOverWhereNot() throws IOException {
    Path libraries = Environments.make(folder.resolve("venv"), "2.7.1+cu128", "12.8");
    Path natives = Files.createDirectories(folder.resolve("native"));
    Path packages = libraries.getParent().getParent();
    Files.move(packages.resolve("torch"), natives.resolve("torch"));
    Files.move(packages.resolve("nvidia"), natives.resolve("nvidia"));
    InstalledDriver driver = new InstalledDriver(12, 9);
    LibtorchChoice choice = LibtorchChoice.of(inputs(Map.of(), natives, Optional.of(driver)));
    assertEquals(natives.resolve("torch/lib"), choice.build().folder());
    LibtorchChoice without = LibtorchChoice.of(inputs(Map.of(), natives, Optional.empty()));
    assertNull(without.build());
    assertEquals(1, without.passedOver().size());
    String line = without.passedOver().getFirst();
    assertEquals(
        "torch 2.7.1+cu128 for CUDA 12.8 in "
            + natives.resolve("torch/lib")
            + ": this machine has no NVIDIA driver; install one, 525 or newer, or set"
            + " CUDA_VISIBLE_DEVICES=-1 to compute on the CPU with it (not used)",
        line);
  }

  @Test
  void whoHidesTheCardsNeedsNoDriver() throws IOException {
    Path venv = folder.resolve("venv");
    Path libraries = Environments.make(venv, "2.7.1+cu128", "12.8");
    Map<String, String> variables =
        Map.of("ROLL_PYTHON", venv.toString(), "CUDA_VISIBLE_DEVICES", "");
    assertEquals(
        "torch 2.7.1+cu128 for CUDA 12.8, in "
            + libraries
            + " (ROLL_PYTHON), its cards hidden by CUDA_VISIBLE_DEVICES",
        LibtorchChoice.of(inputs(variables, folder, Optional.empty())).line());
  }

  private LibtorchChoice choose(Map<String, String> variables) {
    InstalledDriver driver = new InstalledDriver(12, 9);
    return LibtorchChoice.of(inputs(variables, folder, Optional.of(driver)));
  }

  static LibtorchSources inputs(
      Map<String, String> variables, Path natives, Optional<InstalledDriver> driver) {
    return new LibtorchSources(variables::get, natives, () -> FITTING, () -> driver);
  }
}
