package roll.torch.training;

import roll.api.config.OptimizerName;
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;
import roll.torch.training.TrainState.Kind;

/** The rule by which a parameter is updated. */
public enum UpdateRule {
  /** AdamW: a first and a second moment. */
  ADAMW,
  /** AdamW with moments of 8 bits: bytes and scales. */
  ADAMW_8BIT,
  /** Muon: a first moment, made orthogonal for the update. */
  MUON;

  /** Minimum size of matrices with moments of 8 bits, as in bitsandbytes. */
  private static final int LARGE = 4096;

  /** Returns the rule of {@code parameter} with {@code optimizer}. */
  public static UpdateRule of(OptimizerName optimizer, DecoderSpec.Parameter parameter) {
    return switch (optimizer) {
      case ADAMW -> ADAMW;
      case ADAMW_8BIT -> large(parameter) ? ADAMW_8BIT : ADAMW;
      case MUON -> DecoderParameters.hidden(parameter) ? MUON : ADAMW;
    };
  }

  /** Returns whether {@code parameter} is a large matrix, and not the embedding. */
  private static boolean large(DecoderSpec.Parameter parameter) {
    return parameter.shape().size() > 1
        && parameter.size() >= LARGE
        && !parameter.name().equals("model.embed_tokens.weight");
  }

  /** Returns the bytes that an optimizer keeps of {@code parameter}. */
  public long bytes(DecoderSpec.Parameter parameter) {
    long moment = Float.BYTES * parameter.size();
    return switch (this) {
      case ADAMW -> 2 * moment;
      case ADAMW_8BIT -> 2 * (parameter.size() + Float.BYTES * Kind.FIRST_SCALES.size(parameter));
      case MUON -> moment;
    };
  }
}
