package roll.torch.model;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import roll.api.model.DecoderSpec;
import roll.api.option.UserException;
import roll.decoder.DecoderParameters;
import roll.huggingface.PeftFolder;
import roll.huggingface.Safetensors;
import roll.huggingface.StoredTensor;
import roll.torch.FiniteFloats;

/** Reads and writes adapters as PEFT folders. */
public final class PeftAdapters {
  private PeftAdapters() {}

  /**
   * Reads the adapters of {@code folder} into {@code parameters}.
   *
   * @throws UserException naming the first tensor with a number that is not finite
   */
  public static void read(PeftFolder folder, Parameters parameters) {
    try (Safetensors files = folder.files()) {
      List<DecoderSpec.Parameter> all = DecoderParameters.of(parameters.spec());
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i).adapts() && all.get(i).size() > 0) {
          StoredTensor tensor = PeftFolder.require(files, parameters.spec(), all.get(i));
          parameters.fill(
              i,
              (first, part) -> {
                tensor.readFloats(first / Float.BYTES, part);
                FiniteFloats.require(part, tensor.name(), files.source());
              });
        }
      }
    }
  }

  /**
   * Writes the adapters of {@code parameters} into {@code folder}, in f32.
   *
   * @param base path of the base model for the file
   */
  public static void write(Path folder, Parameters parameters, String base) throws IOException {
    PeftFolder.write(folder, parameters.spec(), parameters.adapters(), base);
  }
}
