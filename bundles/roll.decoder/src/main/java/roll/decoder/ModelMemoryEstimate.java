package roll.decoder;

import java.util.List;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;

/**
 * The memory of a model in bytes, by use. The formulas are in the README of roll.shell.
 *
 * @param spec the model
 */
public record ModelMemoryEstimate(DecoderSpec spec) {
  private static final int F32 = 4;
  private static final int BF16 = 2;

  /** Weights, gradients and both moments of AdamW, in f32. */
  private static final int TRAINED = 4 * F32;

  /** Returns the weights for inference in {@code dtype}. */
  public long inference(Dtype dtype) {
    return (dtype == Dtype.BF16 ? BF16 : F32) * DecoderParameters.size(spec);
  }

  /** Returns the size of an f32 copy of the token head. */
  public long wideHead() {
    return F32 * (long) spec.vocabulary() * spec.hidden();
  }

  /** Returns the size of a reordered copy of all linear layers, including the token head. */
  public long reordered(Dtype dtype) {
    long weights =
        spec.layers() * matrices(DecoderParameters.layer(spec, 0))
            + (spec.has(Trait.VALUE_HEAD) ? 0 : (long) spec.vocabulary() * spec.hidden());
    return (dtype == Dtype.BF16 ? BF16 : F32) * weights;
  }

  /** Returns the int8 weights of linear layers, without the head, with their bf16 scales. */
  public long int8() {
    long scales =
        DecoderParameters.layer(spec, 0).stream()
            .filter(DecoderParameters::multiplies)
            .mapToLong(parameter -> parameter.shape().getFirst())
            .sum();
    return spec.layers() * (matrices(DecoderParameters.layer(spec, 0)) + BF16 * scales);
  }

  private static long matrices(List<DecoderSpec.Parameter> parameters) {
    return parameters.stream()
        .filter(DecoderParameters::multiplies)
        .mapToLong(DecoderSpec.Parameter::size)
        .sum();
  }

  /** Returns the KV cache of one token. */
  public long cachedToken(Dtype dtype) {
    return 2L * spec.layers() * spec.attention().keys() * (dtype == Dtype.BF16 ? BF16 : F32);
  }

  /** Returns weights, f32 masters of bf16 weights, gradients and moments for full training. */
  public long training(Dtype dtype) {
    return TRAINED * DecoderParameters.size(spec)
        + (dtype == Dtype.BF16 ? BF16 * DecoderParameters.size(spec) : 0);
  }

  /** Returns frozen weights, and trained adapters of {@code rank} on all linear layers. */
  public long lora(Dtype dtype, int rank) {
    return inference(dtype) + TRAINED * loraWeights(rank);
  }

  /**
   * Returns the number of weights of adapters of {@code rank} on all linear layers but the head.
   */
  public long loraWeights(int rank) {
    long perRank =
        DecoderParameters.layer(spec, 0).stream()
            .filter(DecoderParameters::multiplies)
            .flatMap(parameter -> parameter.shape().stream())
            .mapToLong(Integer::longValue)
            .sum();
    return perRank * spec.layers() * rank;
  }
}
