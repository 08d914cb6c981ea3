package roll.djl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Python environments with PyTorch as its wheels lay it out, of libraries without code. */
final class Environments {
  /** The CUDA libraries that {@code libtorch_cuda.so} of the wheel needs. */
  static final List<String> CUDA = List.of("libcudart.so.12", "libcudnn.so.9");

  private Environments() {}

  /**
   * One in {@code folder}.
   *
   * @param version as {@code torch/version.py} names it
   * @param cuda as that names it, or empty for the CPU
   * @return the folder {@code torch/lib}
   */
  static Path make(Path folder, String version, String cuda) throws IOException {
    Path packages = folder.resolve("lib/python3.12/site-packages");
    Path libraries = packages.resolve("torch/lib");
    library(libraries, "libc10.so", List.of());
    library(libraries, "libtorch_cpu.so", List.of("libc10.so"));
    List<String> needed = new ArrayList<>(List.of("libtorch_cpu.so"));
    if (!cuda.isEmpty()) {
      library(libraries, "libc10_cuda.so", List.of("libc10.so", "libcudart.so.12"));
      library(libraries, "libtorch_cuda.so", CUDA);
      needed.add("libtorch_cuda.so");
      for (String name : CUDA) {
        Path nvidia = packages.resolve("nvidia").resolve(name.replaceAll("lib|\\.so.*", ""));
        TinyElf.write(nvidia.resolve("lib").resolve(name), TinyElf.here(), "", List.of());
      }
    }
    library(libraries, "libtorch.so", needed);
    Files.writeString(
        packages.resolve("torch/version.py"),
        """
        from typing import Optional

        __all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip', 'xpu']
        __version__ = '%s'
        debug = False
        cuda: Optional[str] = %s
        git_version = 'e2d141dbde55c2a4370fac5165b0561b6af4798b'
        hip: Optional[str] = None
        xpu: Optional[str] = None
        """
            .formatted(version, cuda.isEmpty() ? "None" : "'" + cuda + "'"));
    return libraries;
  }

  private static void library(Path folder, String name, List<String> needed) throws IOException {
    String path = "$ORIGIN/../../nvidia/cudart/lib:$ORIGIN/../../nvidia/cudnn/lib:$ORIGIN";
    TinyElf.write(folder.resolve(name), TinyElf.here(), path, needed);
  }
}
