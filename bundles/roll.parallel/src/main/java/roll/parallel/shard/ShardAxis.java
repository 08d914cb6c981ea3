package roll.parallel.shard;

import java.util.regex.Pattern;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;

/** The axis along which tensor parallelism shards a parameter. */
enum ShardAxis {
  /** No sharding: every rank has the whole parameter. */
  WHOLE,
  /** By rows: each rank computes some outputs. */
  ROWS,
  /** By columns: each rank reads some inputs. */
  COLUMNS;

  private static final Pattern MAKES_ROWS =
      Pattern.compile(
          ".*\\.(q|k|v|gate|up)_proj(\\.(weight|bias)|" + Pattern.quote(Adapter.B) + ")");
  private static final Pattern READS_COLUMNS =
      Pattern.compile(".*\\.(o|down)_proj(\\.weight|" + Pattern.quote(Adapter.A) + ")");

  /** Returns the axis of the parameter named {@code name}. */
  static ShardAxis of(String name) {
    if (name.startsWith("visual.")) {
      return WHOLE; // tensor parallelism does not shard vision towers
    }
    if (MAKES_ROWS
            .matcher(name)
            .matches() // each rank computes some outputs of an adapter, from all of A
        || name.endsWith("embed_tokens.weight")
        || name.equals("lm_head.weight")) {
      return ROWS;
    }
    return READS_COLUMNS.matcher(name).matches() ? COLUMNS : WHOLE;
  }

  /** Returns the dimensions of the share of one of {@code ranks} ranks in {@code spec}. */
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
