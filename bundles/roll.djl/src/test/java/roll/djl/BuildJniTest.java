package roll.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the messages of build-jni before compilation, which needs PyTorch's headers. */
@Tag("processes")
@EnabledOnOs(value = OS.LINUX, disabledReason = "the layout of libtorch on Linux")
class BuildJniTest {
  @TempDir Path given;
  private Path venv;
  private Path torch;
  private Path djl;

  @BeforeEach
  void make() throws IOException {
    venv = given.toRealPath().resolve("venv");
    torch = Environments.make(venv, "2.11.0+cu130", "13.0").getParent();
    djl = given.toRealPath().resolve("djl");
  }

  @Test
  void eachRefusalIsALine() throws Exception {
    assertEquals("build-jni: build-jni <Python environment> <sources of DJL>", built());
    assertEquals("build-jni: " + djl + ": PyTorch is not installed there", built(djl, djl));
    assertEquals(
        "build-jni: " + torch + "/include has no headers: PyTorch's own wheels have them",
        built(venv, djl));
    Path header = torch.resolve("include/torch/script.h");
    Files.createDirectories(header.getParent());
    Files.writeString(header, "");
    assertEquals(
        "build-jni: " + djl + ": no sources of DJL are there (engines/pytorch/pytorch-native)",
        built(venv, djl));
    Files.createDirectories(djl.resolve("engines/pytorch/pytorch-native/src/main/native"));
    Path versions = Files.createDirectories(djl.resolve("gradle")).resolve("libs.versions.toml");
    Files.writeString(versions, "[versions]\ndjl = \"0.31.0\"\n");
    assertEquals(
        "build-jni: " + djl + ": sources of DJL 0.31.0; roll has 0.35.1: check out v0.35.1",
        built(venv, djl));
  }

  /** Returns its output, run in the folder of a distribution. */
  private String built(Path... arguments) throws Exception {
    Path home = given.toRealPath().resolve("dist");
    Path script = home.resolve("build-jni");
    if (!Files.exists(script)) {
      Files.createDirectories(home.resolve("native"));
      Files.createFile(home.resolve("native/pytorch-jni-2.7.1-0.35.1.jar"));
      Files.copy(Path.of(System.getProperty("roll.root"), "launch/src/dist", "build-jni"), script);
    }
    ProcessBuilder builder = new ProcessBuilder("sh", script.toString());
    builder.command().addAll(List.of(arguments).stream().map(Path::toString).toList());
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(2, process.waitFor(), said);
    return said.strip();
  }
}
