package roll.torch.parallel.shard;

import java.util.regex.Pattern;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;

/** How tensor parallelism cuts a parameter. */
enum ShardAxis {
  /** Not at all: every rank has it. */
  WHOLE,
  /** Each rank has some rows: it makes some of the outputs. */
  ROWS,
  /** Each rank has some columns: it reads some of the inputs. */
  COLUMNS;

  /** How the parameter named {@code name} is cut. */
  static ShardAxis of(String name) {
    if (name.startsWith("visual.")) {
      return WHOLE; // tensor parallelism does not cut vision towers
    }
    if (name.matches(".*\\.(q|k|v|gate|up)_proj\\.(weight|bias)")
        || name.endsWith("embed_tokens.weight")
        || name.equals("lm_head.weight")) {
      return ROWS;
    }
    if (name.matches(".*\\.(q|k|v|gate|up)_proj" + Pattern.quote(Adapter.B))) {
      return ROWS; // each rank makes some outputs of all of A
    }
    String columns = ".*\\.(o|down)_proj(\\.weight|" + Pattern.quote(Adapter.A) + ")";
    return name.matches(columns) ? COLUMNS : WHOLE;
  }

  /** The dimensions of what one of {@code ranks} ranks has of {@code spec}. */
  static DecoderSpec share(DecoderSpec spec, int ranks) {
    Attention heads = spec.attention();
    return new DecoderSpec(
        spec.modelType(),
        spec.vocabulary() / ranks,
        spec.hidden(),
        spec.intermediate() / ranks,
        spec.layers(),
        new Attention(heads.heads() / ranks, heads.keyValueHeads() / ranks, heads.headSize()),
        spec.rope(),
        spec.maxPositions(),
        spec.normEpsilon(),
        spec.traits(),
        spec.initializerRange(),
        spec.adapter(),
        spec.vision(),
        spec.experts());
  }
}
