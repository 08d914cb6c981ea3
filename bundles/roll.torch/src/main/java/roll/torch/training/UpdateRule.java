package roll.torch.training;

import java.util.List;
import roll.api.config.OptimizerName;
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;
import roll.torch.training.TrainState.Kind;

/** The rule by which a parameter is updated. */
public enum UpdateRule {
  /** AdamW: a first and a second moment. */
  ADAMW,
  /** Muon: a first moment, made orthogonal for the update. */
  MUON;

  /** Returns the rule of {@code parameter} with {@code optimizer}. */
  public static UpdateRule of(OptimizerName optimizer, DecoderSpec.Parameter parameter) {
    return switch (optimizer) {
      case ADAMW -> ADAMW;
      case MUON -> DecoderParameters.hidden(parameter) ? MUON : ADAMW;
    };
  }

  /** Returns the kinds of f32 numbers kept for each weight. */
  List<Kind> kinds() {
    return switch (this) {
      case ADAMW -> List.of(Kind.FIRST, Kind.SECOND);
      case MUON -> List.of(Kind.FIRST);
    };
  }

  /** Returns the bytes that an optimizer keeps of {@code parameter}. */
  public long bytes(DecoderSpec.Parameter parameter) {
    return parameter.size() * Float.BYTES * kinds().size();
  }
}
