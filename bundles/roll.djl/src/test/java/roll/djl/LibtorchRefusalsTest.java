package roll.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ai.djl.engine.EngineException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** One line each: what was found where, and what fits. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the layout of libtorch on Linux")
class LibtorchRefusalsTest {
  private static final String INSTALL = "; install torch 2.7.1 built for CUDA 12.8";
  private static final String COMPILE = ", or compile DJL's JNI library for it: build-jni";

  @TempDir Path given;
  private Path venv;
  private Path libraries;

  @BeforeEach
  void make() throws IOException {
    venv = given.toRealPath().resolve("venv");
    libraries = Environments.make(venv, "2.7.1+cu128", "12.8");
  }

  @Test
  void anotherVersion() throws IOException {
    Environments.make(venv, "2.6.0+cu124", "12.4");
    refused(
        "torch 2.6.0+cu124 for CUDA 12.4 in "
            + libraries
            + ": only version 2.7.1 fits"
            + INSTALL
            + COMPILE);
  }

  @Test
  void aJniLibraryThatWasCompiledForAnother() throws IOException {
    Environments.make(venv, "2.11.0+cu130", "13.0");
    String name = "0.35.1-libdjl_torch.so";
    Files.writeString(libraries.resolve(name), "of 2.10");
    String found = "torch 2.11.0+cu130 for CUDA 13.0 in " + libraries + ": " + name;
    refused(found + " was compiled for torch of an unknown version; run build-jni again");
    Files.writeString(libraries.resolve(name + ".torch"), "2.10.0+cu130\n");
    refused(found + " was compiled for torch 2.10.0+cu130; run build-jni again");
  }

  @Test
  void anotherCuda() throws IOException {
    Environments.make(venv, "2.7.1+cu118", "11.8");
    refused(
        "torch 2.7.1+cu118 for CUDA 11.8 in "
            + libraries
            + ": DJL's JNI library is there for cpu, cu126, cu128"
            + INSTALL
            + COMPILE);
  }

  @Test
  void anotherAccelerator() throws IOException {
    Path about = libraries.resolveSibling("version.py");
    Files.writeString(about, "__version__ = '2.7.1+rocm6.3'\nhip: Optional[str] = '6.3.4'\n");
    refused(
        "torch 2.7.1+rocm6.3 in " + libraries.getParent() + " is built for another accelerator");
  }

  @Test
  void aVersionFileWithoutAVersion() throws IOException {
    Path about = Files.writeString(libraries.resolveSibling("version.py"), "debug = False\n");
    refused(about + " names no __version__");
  }

  @Test
  void noVersionFile() throws IOException {
    Path torch = libraries.getParent();
    Files.delete(torch.resolve("version.py"));
    refused("PyTorch is not installed in " + torch.getParent());
    assertEquals(
        "PYTORCH_LIBRARY_PATH=%s: %s does not say its version: there is neither %s nor %s, and PYTORCH_VERSION is not set"
            .formatted(
                libraries, libraries, torch.resolve("version.py"), torch.resolve("build-version")),
        message(Map.of("PYTORCH_LIBRARY_PATH", libraries.toString()), true));
  }

  @Test
  void aLibraryThatIsMissing() throws IOException {
    Path packages = libraries.getParent().getParent();
    Files.delete(packages.resolve("nvidia/cudnn/lib/libcudnn.so.9"));
    String found = "torch 2.7.1+cu128 for CUDA 12.8 in " + libraries;
    refused(
        found
            + ": libtorch_cuda.so needs libcudnn.so.9, which is not there"
            + INSTALL
            + " with all that it depends on");
    Files.delete(libraries.resolve("libtorch_cuda.so"));
    refused(found + " lacks libtorch_cuda.so" + INSTALL);
    Files.delete(libraries.resolve("libtorch.so"));
    refused("there is no libtorch.so in " + libraries);
  }

  @Test
  void aLibraryThatIsCutOff() throws IOException {
    Files.write(libraries.resolve("libtorch_cpu.so"), new byte[70]);
    refused(
        "torch 2.7.1+cu128 for CUDA 12.8 in "
            + libraries
            + ": libtorch_cpu.so is broken: not a shared library of a 64-bit Linux");
  }

  @Test
  void anotherPlatform() throws IOException {
    int other = TinyElf.here() == TinyElf.X86_64 ? TinyElf.AARCH64 : TinyElf.X86_64;
    TinyElf.write(libraries.resolve("libtorch_cpu.so"), other, "", List.of());
    refused(
        "torch 2.7.1+cu128 for CUDA 12.8 in "
            + libraries
            + ": libtorch_cpu.so is for another processor"
            + INSTALL);
    Files.move(libraries.resolve("libtorch.so"), libraries.resolve("libtorch.dylib"));
    refused(libraries + " has libtorch.dylib, a library of another platform, and no libtorch.so");
  }

  @Test
  void theAbiBeforeCxx11() throws IOException {
    Files.write(
        libraries.resolve("libc10.so"),
        "_ZN3c105ErrorC1ENS_14SourceLocationESs\0".getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.APPEND);
    refused(
        "torch 2.7.1+cu128 for CUDA 12.8 in "
            + libraries
            + ": it is compiled with the ABI before C++11, and DJL's JNI library is not"
            + INSTALL);
  }

  @Test
  void noDriverOrAnOldOne() {
    String found =
        "ROLL_PYTHON=" + venv + ": torch 2.7.1+cu128 for CUDA 12.8 in " + libraries + ": ";
    Map<String, String> variables = Map.of("ROLL_PYTHON", venv.toString());
    assertEquals(
        found
            + "this machine has no NVIDIA driver; install one, 525 or newer, or set"
            + " CUDA_VISIBLE_DEVICES=-1 to compute on the CPU with it",
        message(variables, false));
    LibtorchSources old =
        LibtorchChoiceTest.inputs(variables, venv, Optional.of(new InstalledDriver(11, 4)));
    assertEquals(
        found + "this machine has a driver for CUDA 11.4; install a newer one, 525 or more",
        assertThrows(EngineException.class, () -> LibtorchChoice.of(old)).getMessage());
  }

  @Test
  void whatIsNoEnvironment() throws IOException {
    Path shim = Files.writeString(given.resolve("python"), "#!/bin/sh\n");
    assertEquals(
        "ROLL_PYTHON=%s: it is neither a Python environment nor a Python in one".formatted(shim),
        message(Map.of("ROLL_PYTHON", shim.toString()), true));
    assertEquals(
        "ROLL_PYTHON=/nowhere: there is no such folder or program",
        message(Map.of("ROLL_PYTHON", "/nowhere"), true));
    assertEquals(
        "PYTORCH_LIBRARY_PATH=/nowhere: there is no folder /nowhere",
        message(Map.of("PYTORCH_LIBRARY_PATH", "/nowhere"), true));
  }

  @Test
  void twoThatAreNamed() throws IOException {
    Path other = Environments.make(given.resolve("other"), "2.7.1+cpu", "");
    assertEquals(
        "ROLL_PYTHON=%s and PYTORCH_LIBRARY_PATH=%s name different ones: unset one of them"
            .formatted(venv, other),
        message(
            Map.of("ROLL_PYTHON", venv.toString(), "PYTORCH_LIBRARY_PATH", other.toString()),
            true));
  }

  @Test
  void variablesOfDjlThatSayOtherwise() {
    refused(
        "torch 2.7.1+cu128 for CUDA 12.8 in "
            + libraries
            + ": PYTORCH_FLAVOR=cpu says otherwise: unset it",
        Map.of("ROLL_PYTHON", venv.toString(), "PYTORCH_FLAVOR", "cpu"));
    assertEquals(
        "PYTORCH_VERSION=2.5.1: DJL would download that; only version 2.7.1 fits: unset it",
        message(Map.of("PYTORCH_VERSION", "2.5.1"), true));
  }

  private void refused(String line) {
    refused(line, Map.of("ROLL_PYTHON", venv.toString()));
  }

  private void refused(String line, Map<String, String> variables) {
    assertEquals("ROLL_PYTHON=" + venv + ": " + line, message(variables, true));
  }

  private String message(Map<String, String> variables, boolean driver) {
    Optional<InstalledDriver> found =
        driver ? Optional.of(new InstalledDriver(12, 9)) : Optional.empty();
    LibtorchSources inputs = LibtorchChoiceTest.inputs(variables, venv, found);
    return assertThrows(EngineException.class, () -> LibtorchChoice.of(inputs)).getMessage();
  }
}
