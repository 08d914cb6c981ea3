package roll.decoder;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;

/** Merges adapters into whole models. */
@ProviderType
public interface ModelMerger {
  /**
   * Writes the model of an adapter folder as a Hugging Face folder without adapters: weights W +
   * scale · B A, in the number format of the model's files.
   *
   * @param adapters folder in PEFT's layout
   * @param base folder of the base model, or null for the one in the adapter config
   * @param target folder to write, atomically
   * @throws roll.api.option.UserException if the adapters or the model cannot be used, or if {@code
   *     target} exists
   */
  void merge(Path adapters, @Nullable Path base, Path target);
}
