package roll.parallel.shard;

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

  private static final Pattern MAKES_ROWS =
      Pattern.compile(
          ".*\\.(q|k|v|gate|up)_proj(\\.(weight|bias)|" + Pattern.quote(Adapter.B) + ")");
  private static final Pattern READS_COLUMNS =
      Pattern.compile(".*\\.(o|down)_proj(\\.weight|" + Pattern.quote(Adapter.A) + ")");

  /** How the parameter named {@code name} is cut. */
  static ShardAxis of(String name) {
    if (name.startsWith("visual.")) {
      return WHOLE; // tensor parallelism does not cut vision towers
    }
    if (MAKES_ROWS.matcher(name).matches() // of an adapter each rank makes some outputs of all of A
        || name.endsWith("embed_tokens.weight")
        || name.equals("lm_head.weight")) {
      return ROWS;
    }
    return READS_COLUMNS.matcher(name).matches() ? COLUMNS : WHOLE;
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
