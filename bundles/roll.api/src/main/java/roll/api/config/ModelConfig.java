package roll.api.config;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
 * @param lora new adapters to train in place of the model, or null
 * @param adapter folder of adapters that belong to the model, in PEFT's layout ({@code
 *     adapter_name_or_path}), or null; never together with {@code lora}
 */
public record ModelConfig(
    Path folder,
    WorkerConfig.Dtype dtype,
    List<String> frozen,
    boolean checkpointing,
    boolean wideLogits,
    @Nullable LoraConfig lora,
    @Nullable Path adapter) {
  /** The model in {@code folder} with the defaults of everything else. */
  public static ModelConfig of(Path folder, WorkerConfig.Dtype dtype) {
    return new ModelConfig(folder, dtype, List.of(), true, false, null, null);
  }

  /** This model with those parameters frozen. */
  public ModelConfig withFrozen(List<String> beginnings) {
    return new ModelConfig(folder, dtype, beginnings, checkpointing, wideLogits, lora, adapter);
  }

  /** This model with new adapters. */
  public ModelConfig withLora(LoraConfig adapters) {
    return new ModelConfig(folder, dtype, frozen, checkpointing, wideLogits, adapters, null);
  }

  /** This model with the adapters in a folder. */
  public ModelConfig withAdapter(Path adapters) {
    return new ModelConfig(folder, dtype, frozen, checkpointing, wideLogits, null, adapters);
  }

  /** Whether the model has adapters; they alone are trained then. */
  public boolean adapted() {
    return lora != null || adapter != null;
  }
}
