package roll.djl;

import ai.djl.engine.EngineException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks whether a libtorch outside the bundles can be loaded. Each refusal is one line. */
final class LibtorchCheck {
  /** Processor numbers in {@link ElfFile}, by Java's names. */
  private static final Map<String, Integer> MACHINES =
      Map.of("amd64", 62, "x86_64", 62, "aarch64", 183);

  /** The mangled name of a constructor in libraries compiled with GCC's old ABI. */
  private static final String OLD_ABI = "_ZN3c105ErrorC1ENS_14SourceLocationESs";

  private static final String COMPILE = ", or compile DJL's JNI library for it: build-jni";

  private final LibtorchSources inputs;
  private final LibtorchCompatibility fitting;

  LibtorchCheck(LibtorchSources inputs) {
    this.inputs = inputs;
    this.fitting = inputs.fitting().get();
  }

  /**
   * Returns DJL's flavor of the JNI library for {@code build}.
   *
   * @throws EngineException with one line if it cannot be loaded
   */
  String flavour(LibtorchBuild build) {
    String found = build.name() + " in " + build.folder();
    String install = "; install " + fitting.advice();
    String flavour =
        CompiledJni.beside(build, fitting.djl()).isPresent()
            ? build.flavour()
            : ofDjlsJar(build, found, install + COMPILE);
    if (build.folder().resolve(LibtorchBuild.FILE).toString().endsWith(".so")) {
      libraries(build, found, install);
    }
    if (!build.cuda().isEmpty() && !inputs.hidesCards()) {
      driver(build, found);
    }
    return flavour;
  }

  private String ofDjlsJar(LibtorchBuild build, String found, String advice) {
    if (!build.release().equals(fitting.version())) {
      throw new EngineException(found + ": only version " + fitting.version() + " fits" + advice);
    }
    return fitting
        .flavour(build.cuda())
        .orElseThrow(
            () ->
                new EngineException(
                    found + ": DJL's JNI library is there for " + flavours() + advice));
  }

  private String flavours() {
    return fitting.flavours().isEmpty() ? "nothing here" : String.join(", ", fitting.flavours());
  }

  private static void libraries(LibtorchBuild build, String found, String install) {
    List<String> names = new ArrayList<>(List.of("libc10.so", "libtorch_cpu.so", "libtorch.so"));
    if (!build.cuda().isEmpty()) {
      names.addAll(List.of("libc10_cuda.so", "libtorch_cuda.so"));
    }
    for (String name : names) {
      Path library = build.folder().resolve(name);
      if (!Files.isRegularFile(library)) {
        throw new EngineException(found + " lacks " + name + install);
      }
      try {
        ElfFile file = ElfFile.read(library);
        Integer machine = MACHINES.get(System.getProperty("os.arch"));
        if (machine != null && file.machine() != machine) {
          throw new EngineException(found + ": " + name + " is for another processor" + install);
        }
        for (String needed : file.needed()) {
          if (ofCuda(needed) && find(needed, file, build.folder()).isEmpty()) {
            throw new EngineException(
                "%s: %s needs %s, which is not there%s with all that it depends on"
                    .formatted(found, name, needed, install));
          }
        }
        if (name.equals("libc10.so") && text(library).contains(OLD_ABI)) {
          throw new EngineException(
              found
                  + ": it is compiled with the ABI before C++11, and DJL's JNI library is not"
                  + install);
        }
      } catch (IOException e) {
        throw new EngineException(found + ": " + name + " is broken: " + e.getMessage(), e);
      }
    }
  }

  /** Returns whether a library is NVIDIA's and part of PyTorch or a toolkit, not of the driver. */
  private static boolean ofCuda(String name) {
    return name.matches("lib(cu|nv|nccl).*") && !name.startsWith("libcuda.so");
  }

  /** Returns where the loader will find {@code needed}. */
  static Optional<Path> find(String needed, ElfFile by, Path folder) {
    String path = Optional.ofNullable(System.getenv("LD_LIBRARY_PATH")).orElse("");
    return Stream.of(
            by.folders().stream().map(f -> f.replace("$ORIGIN", folder.toString())),
            Stream.of(path.split(":")),
            LoaderSearchPath.all().stream())
        .flatMap(folders -> folders)
        .filter(name -> !name.isEmpty())
        .map(name -> Path.of(name).resolve(needed).normalize())
        .filter(Files::isRegularFile)
        .findFirst();
  }

  private static String text(Path library) throws IOException {
    return new String(Files.readAllBytes(library), StandardCharsets.ISO_8859_1);
  }

  private void driver(LibtorchBuild build, String found) {
    int major = Integer.parseInt(build.cuda().replaceAll("\\..*", ""));
    Optional<InstalledDriver> driver = inputs.driver().get();
    if (driver.isEmpty()) {
      throw new EngineException(
          found
              + ": this machine has no NVIDIA driver; install one, "
              + leastDriver(major)
              + " or newer, or set CUDA_VISIBLE_DEVICES=-1 to compute on the CPU with it");
    }
    if (driver.get().major() < major) {
      throw new EngineException(
          found
              + ": this machine has "
              + driver.get()
              + "; install a newer one, "
              + leastDriver(major)
              + " or more");
    }
  }

  /** Returns the minimum driver version by CUDA's table of minor version compatibility. */
  private static int leastDriver(int cuda) {
    return cuda < 13 ? 525 : 580;
  }
}
