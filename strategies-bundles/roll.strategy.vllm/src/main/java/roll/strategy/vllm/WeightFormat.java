package roll.strategy.vllm;

import java.util.List;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.decoder.MemoryNeed;

/** In which format an engine's linear layers read their weights. */
enum WeightFormat {
  /** As the trainer has them. */
  PLAIN,
  /** Copies in oneDNN's own order. */
  REORDERED,
  /** Rounded to 8 bits: the bytes for a few tokens, and for more the same numbers reordered. */
  INT8;

  /** Bytes of the copies that the weights of {@code spec} in {@code dtype} cost. */
  long copies(DecoderSpec spec, Dtype dtype) {
    MemoryNeed need = new MemoryNeed(spec);
    return switch (this) {
      case PLAIN -> 0;
      case REORDERED -> need.reordered(dtype);
      case INT8 -> need.reordered(dtype) + need.int8();
    };
  }

  /**
   * Whether libtorch has what the formats but {@link #PLAIN} need.
   *
   * @param accelerated whether the engine computes on a card: all of it is oneDNN's, which has none
   */
  static boolean supported(boolean accelerated) {
    return !accelerated && List.of("amd64", "x86_64").contains(System.getProperty("os.arch"));
  }
}
