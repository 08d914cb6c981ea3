package roll.decoder;

import java.util.List;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;

/**
 * Bytes a model needs in this build, by what is done with it. The formulas are in the README of
 * roll.shell.
 *
 * @param spec the model
 */
public record MemoryNeed(DecoderSpec spec) {
  private static final int F32 = 4;
  private static final int BF16 = 2;

  /** Weights, gradients and both moments of AdamW, in f32. */
  private static final int TRAINED = 4 * F32;

  /** The weights, to generate and to score in {@code dtype}. */
  public long inference(Dtype dtype) {
    return (dtype == Dtype.BF16 ? BF16 : F32) * DecoderParameters.size(spec);
  }

  /** The weights of the token head once more, in f32. */
  public long wideHead() {
    return F32 * (long) spec.vocabulary() * spec.hidden();
  }

  /** A second copy of the weights of all linear layers, the token head among them. */
  public long reordered(Dtype dtype) {
    long weights =
        spec.layers() * matrices(DecoderParameters.layer(spec, 0))
            + (spec.has(Trait.VALUE_HEAD) ? 0 : (long) spec.vocabulary() * spec.hidden());
    return (dtype == Dtype.BF16 ? BF16 : F32) * weights;
  }

  /** The weights of linear layers, without the head, of a byte each, and their scales in bf16. */
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

  /** Keys and values of one token of a sequence that is being generated. */
  public long cachedToken(Dtype dtype) {
    return 2L * spec.layers() * spec.attention().keys() * (dtype == Dtype.BF16 ? BF16 : F32);
  }

  /** Weights, their f32 masters where they are bf16, gradients and moments, to train all. */
  public long training(Dtype dtype) {
    return TRAINED * DecoderParameters.size(spec)
        + (dtype == Dtype.BF16 ? BF16 * DecoderParameters.size(spec) : 0);
  }

  /** Weights that stay, and adapters of {@code rank} on all linear layers that are trained. */
  public long lora(Dtype dtype, int rank) {
    return inference(dtype) + TRAINED * loraWeights(rank);
  }

  /** Weights of adapters of {@code rank} on all linear layers but the head. */
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
