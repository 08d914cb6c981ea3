package roll.torch.model;

import java.nio.file.Path;
import java.util.function.BiFunction;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.option.UserException;
import roll.huggingface.ModelFolder;
import roll.huggingface.PeftFolder;
import roll.huggingface.Safetensors;
import roll.torch.Device;

/** Reads the weights of model folders. */
final class FolderWeights {
  private FolderWeights() {}

  /**
   * Returns the weights of {@code folder} as {@code loading} reads them, random weights if it has
   * none, and its adapters. Only on the compute thread of {@code device}; the caller closes them.
   *
   * @param seed of random weights and new adapters
   * @throws UserException if the weights do not fit config.json
   */
  static Parameters load(
      Device device,
      ModelFolder folder,
      long seed,
      BiFunction<DecoderSpec, Safetensors, Parameters> loading) {
    DecoderSpec spec = folder.spec().with(null);
    if (!folder.hasWeights()) {
      return adapted(Parameters.random(device, spec, seed), folder, seed);
    }
    try (Safetensors files = Safetensors.open(folder.path())) {
      return adapted(finite(device, loading.apply(spec, files), folder.path()), folder, seed);
    }
  }

  /**
   * Returns {@code parameters} of {@code folder} if all are finite; closes them otherwise.
   *
   * @throws UserException naming the first tensor with a number that is not finite
   */
  private static Parameters finite(Device device, Parameters parameters, Path folder) {
    try (WeightReader reader = new WeightReader(device)) {
      reader.requireFinite(parameters, folder);
      return parameters;
    } catch (RuntimeException e) {
      parameters.close();
      throw e;
    }
  }

  /** Returns the weights {@code base} with the adapters of {@code folder}, if it has any. */
  private static Parameters adapted(Parameters base, ModelFolder folder, long seed) {
    Adapter adapter = folder.spec().adapter();
    if (adapter == null) {
      return base;
    }
    Parameters adapted = base.with(adapter, seed);
    PeftFolder files = folder.adapters();
    try {
      if (files != null) {
        PeftAdapters.read(files, adapted);
      }
      return adapted;
    } catch (RuntimeException e) {
      adapted.close();
      throw e;
    }
  }
}
