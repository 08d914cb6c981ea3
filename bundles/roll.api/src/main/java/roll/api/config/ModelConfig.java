package roll.api.config;

import java.nio.file.Path;
import java.util.List;

/**
 * The model of a role ({@code model_args}).
 *
 * @param folder Hugging Face folder of the model
 * @param dtype what linear layers compute in
 * @param frozen beginnings of the names of parameters that are not trained ({@code
 *     freeze_module_prefix})
 * @param checkpointing whether training keeps only the input of each layer and runs the layer again
 *     for the backward pass: less memory, about a third more compute
 * @param wideLogits whether logits are products in f32 even where {@code dtype} is bf16
 */
public record ModelConfig(
    Path folder,
    WorkerConfig.Dtype dtype,
    List<String> frozen,
    boolean checkpointing,
    boolean wideLogits) {
  /** The model in {@code folder} with the defaults of everything else. */
  public static ModelConfig of(Path folder, WorkerConfig.Dtype dtype) {
    return new ModelConfig(folder, dtype, List.of(), true, false);
  }
}
