package roll.collectives.nccl;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import roll.api.option.UserException;
import roll.torch.foreign.NativeLibrary;

/** Where NCCL is looked for: beside the libtorch that is used first, so that both use the same. */
final class NcclFiles {
  private static final String NAME = "libnccl.so.2";

  private NcclFiles() {}

  /**
   * Names and paths, the first that can be loaded and has NCCL's functions counts.
   *
   * @param environment in which {@code PYTORCH_LIBRARY_PATH} names the folder of a libtorch
   */
  static List<String> candidates(Map<String, String> environment) {
    List<String> candidates = new ArrayList<>();
    String folder = environment.get("PYTORCH_LIBRARY_PATH");
    if (folder != null && !folder.isBlank()) {
      Path torch = Path.of(folder).toAbsolutePath().normalize();
      candidates.add(torch.resolve(NAME).toString());
      Path packages = torch.getParent() == null ? null : torch.getParent().getParent();
      if (packages != null) { // .../site-packages/torch/lib
        candidates.add(packages.resolve("nvidia/nccl/lib").resolve(NAME).toString());
      }
      candidates.add(torch.resolve("libtorch_cuda.so").toString());
    }
    candidates.add(NAME);
    candidates.add("libtorch_cuda.so");
    return List.copyOf(candidates);
  }

  /**
   * The first of {@code candidates} that is NCCL.
   *
   * @throws UserException if none is
   */
  static String find(List<String> candidates) {
    return candidates.stream()
        .filter(file -> !file.startsWith("/") || Files.isRegularFile(Path.of(file)))
        .filter(file -> NativeLibrary.open(file).has("ncclGetVersion"))
        .findFirst()
        .orElseThrow(
            () ->
                new UserException(
                    "NCCL is not here, which ranks on several cards need; looked for "
                        + String.join(", ", candidates)
                        + "; it comes with PyTorch for CUDA (PYTORCH_LIBRARY_PATH: its torch/lib),"
                        + " or as libnccl2 of the system"));
  }
}
