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
 * @param randomWeights whether a folder without weights stands for a random model ({@code
 *     random_weights}); where not, it is refused
 * @param temperature logits are divided by it wherever log-probs are made of them; 1 unless a run
 *     says {@code scale_logits_by_temperature}
 */
public record ModelConfig(
    Path folder,
    WorkerConfig.Dtype dtype,
    List<String> frozen,
    boolean checkpointing,
    boolean wideLogits,
    @Nullable LoraConfig lora,
    @Nullable Path adapter,
    boolean randomWeights,
    double temperature) {
  /** The model in {@code folder}, random where that has no weights, and all else by default. */
  public static ModelConfig of(Path folder, WorkerConfig.Dtype dtype) {
    return new ModelConfig(folder, dtype, List.of(), true, false, null, null, true, 1);
  }

  /** This model with those parameters frozen. */
  public ModelConfig withFrozen(List<String> beginnings) {
    return with(folder, beginnings, lora, adapter, randomWeights, temperature);
  }

  /** This model with new adapters. */
  public ModelConfig withLora(LoraConfig adapters) {
    return with(folder, frozen, adapters, null, randomWeights, temperature);
  }

  /** This model with the adapters in a folder. */
  public ModelConfig withAdapter(Path adapters) {
    return in(folder, adapters);
  }

  /** This model in another folder, with its adapters in {@code adapters} if it has any there. */
  public ModelConfig in(Path other, @Nullable Path adapters) {
    LoraConfig own = adapters == null ? lora : null;
    return with(other, frozen, own, adapters, randomWeights, temperature);
  }

  /** This model; whether a folder without weights is accepted. */
  public ModelConfig withRandomWeights(boolean allowed) {
    return with(folder, frozen, lora, adapter, allowed, temperature);
  }

  /** This model with its logits divided by {@code other} wherever log-probs are made of them. */
  public ModelConfig withTemperature(double other) {
    return with(folder, frozen, lora, adapter, randomWeights, other);
  }

  private ModelConfig with(
      Path folder,
      List<String> frozen,
      @Nullable LoraConfig lora,
      @Nullable Path adapter,
      boolean randomWeights,
      double temperature) {
    return new ModelConfig(
        folder,
        dtype,
        frozen,
        checkpointing,
        wideLogits,
        lora,
        adapter,
        randomWeights,
        temperature);
  }

  /** Whether the model has adapters; they alone are trained then. */
  public boolean adapted() {
    return lora != null || adapter != null;
  }
}
