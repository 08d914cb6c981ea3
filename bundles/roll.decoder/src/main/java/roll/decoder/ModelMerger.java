package roll.decoder;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;

/** Makes whole models of models with adapters. */
@ProviderType
public interface ModelMerger {
  /**
   * Writes the model that a folder of adapters stands for as a Hugging Face folder without
   * adapters: its weights W + scale · B A, in the number format of the model's files.
   *
   * @param adapters folder in PEFT's layout
   * @param base folder of the model they belong to, or null for the one they name
   * @param target folder to write; it appears whole or not at all
   * @throws roll.api.option.UserException if the adapters or the model cannot be used, or if there
   *     is something at {@code target} already
   */
  void merge(Path adapters, @Nullable Path base, Path target);
}
