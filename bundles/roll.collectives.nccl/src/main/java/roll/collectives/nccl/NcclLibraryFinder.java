package roll.collectives.nccl;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import roll.api.option.UserException;
import roll.torch.foreign.NativeLibrary;

/** Finds NCCL, first that of the configured libtorch, so that both use the same library. */
final class NcclLibraryFinder {
  private static final String NAME = "libnccl.so.2";

  private NcclLibraryFinder() {}

  /**
   * Returns candidate names and paths in order.
   *
   * @param environment variables, of which {@code PYTORCH_LIBRARY_PATH} is the folder of a libtorch
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
   * Returns the first of {@code candidates} that is NCCL.
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
                    "NCCL, which ranks on several GPUs need, is not installed; looked for "
                        + String.join(", ", candidates)
                        + "; it is part of PyTorch for CUDA (PYTORCH_LIBRARY_PATH: its torch/lib),"
                        + " or the system package libnccl2"));
  }
}
