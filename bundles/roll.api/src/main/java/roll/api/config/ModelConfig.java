package roll.api.config;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The model of a role ({@code model_args}).
 *
 * @param folder Hugging Face folder of the model
 * @param dtype number format of the linear layers
 * @param frozen name prefixes of parameters that are not trained ({@code freeze_module_prefix})
 * @param checkpointing gradient checkpointing: whether training keeps only the input of each layer
 *     and recomputes the layer in the backward pass; less memory, about a third more compute
 * @param wideLogits whether logits are computed in f32 even if {@code dtype} is bf16
 * @param lora new adapters to train instead of the model, or null
 * @param adapter folder of the model's adapters, in PEFT's layout ({@code adapter_name_or_path}),
 *     or null; never together with {@code lora}
 * @param randomWeights whether a folder without weights means a randomly initialized model ({@code
 *     random_weights}); otherwise such a folder is an error
 * @param temperature logits are divided by it before log-probs are computed; 1 unless a run sets
 *     {@code scale_logits_by_temperature}
 * @param batchInvariant whether log-probs must be the same bits whatever else is in the batch
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
    double temperature,
    boolean batchInvariant) {
  /**
   * The model in {@code folder} with default settings, randomly initialized if the folder has no
   * weights.
   */
  public static ModelConfig of(Path folder, WorkerConfig.Dtype dtype) {
    return new ModelConfig(folder, dtype, List.of(), true, false, null, null, true, 1, false);
  }

  /** Returns this model with parameters frozen whose names begin with one of {@code beginnings}. */
  public ModelConfig withFrozen(List<String> beginnings) {
    return with(folder, beginnings, lora, adapter, randomWeights, temperature);
  }

  /** Returns this model with new low-rank adapters. */
  public ModelConfig withLora(LoraConfig adapters) {
    return with(folder, frozen, adapters, null, randomWeights, temperature);
  }

  /**
   * Returns this model configuration with another model folder.
   *
   * @param adapters folder of its adapters, or null if it has none there
   */
  public ModelConfig in(Path other, @Nullable Path adapters) {
    LoraConfig own = adapters == null ? lora : null;
    return with(other, frozen, own, adapters, randomWeights, temperature);
  }

  /**
   * Returns this model with random weights; {@code allowed} says whether a folder without weights
   * is accepted.
   */
  public ModelConfig withRandomWeights(boolean allowed) {
    return with(folder, frozen, lora, adapter, allowed, temperature);
  }

  /** Returns this model with another temperature. */
  public ModelConfig withTemperature(double other) {
    return with(folder, frozen, lora, adapter, randomWeights, other);
  }

  /** Returns this model with another {@link #batchInvariant}. */
  public ModelConfig withBatchInvariant(boolean wanted) {
    return new ModelConfig(
        folder,
        dtype,
        frozen,
        checkpointing,
        wideLogits,
        lora,
        adapter,
        randomWeights,
        temperature,
        wanted);
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
        temperature,
        batchInvariant);
  }

  /** Whether the model has adapters; then only they are trained. */
  public boolean adapted() {
    return lora != null || adapter != null;
  }
}
