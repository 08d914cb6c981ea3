package roll.huggingface;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import roll.decoder.ConfigReader;
import roll.decoder.DecoderReader;

/** Opens folders of Llama models and of their adapters. */
final class LlamaFolders {
  private LlamaFolders() {}

  static ModelFolder open(Path path) {
    return ModelFolder.open(
        path,
        Map.of(
            "llama",
            (where, config) -> DecoderReader.read(new ConfigReader(where, config), 64, Set.of())));
  }
}
