package roll.strategy.vllm.config;

import java.util.List;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.decoder.ModelMemoryEstimate;

/** The weight format of an engine's linear layers. */
public enum WeightFormat {
  /** The trainer's format. */
  PLAIN,
  /** Copies in oneDNN's blocked order. */
  REORDERED,
  /** Quantized to int8; the same numbers dequantized and reordered for steps of more tokens. */
  INT8;

  /** Returns the bytes of the copies for {@code spec} in {@code dtype}. */
  public long copies(DecoderSpec spec, Dtype dtype) {
    ModelMemoryEstimate need = new ModelMemoryEstimate(spec);
    return switch (this) {
      case PLAIN -> 0;
      case REORDERED -> need.reordered(dtype);
      case INT8 -> need.reordered(dtype) + need.int8();
    };
  }

  /**
   * Returns whether this libtorch supports the formats other than {@link #PLAIN}.
   *
   * @param accelerated whether the engine computes on a card; the formats need oneDNN, which has no
   *     CUDA backend
   */
  public static boolean supported(boolean accelerated) {
    return !accelerated && List.of("amd64", "x86_64").contains(System.getProperty("os.arch"));
  }
}
