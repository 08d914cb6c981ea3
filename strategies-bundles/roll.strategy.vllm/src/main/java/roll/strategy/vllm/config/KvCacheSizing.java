package roll.strategy.vllm.config;

import static roll.strategy.vllm.config.EngineOptions.BLOCK_SIZE;
import static roll.strategy.vllm.config.EngineOptions.DETERMINISTIC;
import static roll.strategy.vllm.config.EngineOptions.ENABLE_PREFIX_CACHING;
import static roll.strategy.vllm.config.EngineOptions.ENFORCE_EAGER;
import static roll.strategy.vllm.config.EngineOptions.GPU_MEMORY_UTILIZATION;
import static roll.strategy.vllm.config.EngineOptions.KV_CACHE_DTYPE;
import static roll.strategy.vllm.config.EngineOptions.MAX_MODEL_LEN;
import static roll.strategy.vllm.config.EngineOptions.MAX_NUM_BATCHED_TOKENS;
import static roll.strategy.vllm.config.EngineOptions.MAX_NUM_SEQS;
import static roll.strategy.vllm.config.EngineOptions.NUM_GPU_BLOCKS_OVERRIDE;
import static roll.strategy.vllm.config.EngineOptions.QUANTIZATION;
import static roll.strategy.vllm.config.EngineOptions.REORDER_WEIGHTS;
import static roll.strategy.vllm.config.EngineOptions.SLEEP_LEVEL;
import static roll.strategy.vllm.config.EngineOptions.SPECULATIVE_CONFIG;

import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.decoder.ModelMemoryEstimate;
import roll.sampling.PictureFeatures;
import roll.strategy.vllm.speculation.NgramProposer;
import roll.text.ByteSize;
import roll.torch.Precision;

/**
 * Determines the size of the KV cache: the configured size, or the configured share of the device's
 * memory minus the weights, but at most what all sequences together can fill.
 *
 * @param spec the model
 * @param precision of the model
 * @param length expected maximum sequence length
 * @param memory of the device in bytes
 * @param accelerated whether the device is a card
 */
public record KvCacheSizing(
    DecoderSpec spec, Precision precision, int length, long memory, boolean accelerated) {
  /** Hidden size below which f32 products do not gain from reordered weights. */
  private static final int NARROW = 256;

  /**
   * Returns the settings of the engine for {@code options}.
   *
   * @param synchronous default of {@code deterministic}
   * @throws UserException if a value is invalid or the memory does not suffice, naming the
   *     requested and the available memory
   */
  public EngineSettings settings(Options options, boolean synchronous) {
    int blockSize = options.get(BLOCK_SIZE);
    int batched = options.get(MAX_NUM_BATCHED_TOKENS);
    int sequences = options.get(MAX_NUM_SEQS);
    String format = options.get(KV_CACHE_DTYPE);
    Dtype cache =
        switch (format) {
          case "float32" -> Dtype.FP32;
          case "bfloat16" -> Dtype.BF16;
          default -> precision.dtype();
        };
    int most = spec.maxPositions();
    boolean given = options.has(MAX_MODEL_LEN);
    int longest = options.find(MAX_MODEL_LEN).orElse(most);
    if (longest > most) {
      throw options.wrong(MAX_MODEL_LEN, "an integer from 2 to " + most);
    }
    int expected = given ? longest : Math.min(most, length);
    double utilization = options.get(GPU_MEMORY_UTILIZATION);
    long blockBytes = cell(options, cache) * blockSize;
    boolean fixed = options.has(NUM_GPU_BLOCKS_OVERRIDE);
    long wanted =
        fixed ? asked(options, blockBytes) : Math.ceilDiv(expected, blockSize) * (long) sequences;
    long share = (long) (utilization * (double) memory);
    WeightFormat weights = format(options, share, fixed ? wanted * blockBytes : 0);
    long blocks =
        fixed
            ? wanted
            : Math.min(
                shared(
                    options,
                    share - PictureFeatures.most(spec, sequences, length),
                    blockBytes,
                    weights(weights)),
                wanted);
    long held = blocks * blockSize;
    if (held < 2 || (given && held < longest)) {
      throw new UserException(
          "%s.%s: %d tokens do not fit into the KV cache, which holds %d (%s; %s)"
              .formatted(
                  options.where(),
                  MAX_MODEL_LEN.name(),
                  longest,
                  held,
                  "raise "
                      + GPU_MEMORY_UTILIZATION.name()
                      + " or "
                      + NUM_GPU_BLOCKS_OVERRIDE.name(),
                  ByteSize.of(memory) + " of memory in all"));
    }
    return new EngineSettings(
        blockSize,
        Math.toIntExact(Math.min(blocks, Integer.MAX_VALUE / blockSize)),
        batched,
        Math.min(sequences, batched),
        (int) Math.min(longest, held),
        options.get(ENABLE_PREFIX_CACHING),
        cache,
        options.find(DETERMINISTIC).orElse(synchronous),
        options.get(SLEEP_LEVEL),
        weights,
        !options.get(ENFORCE_EAGER),
        proposer(options),
        EngineOptions.update(options));
  }

  /** Returns what proposes tokens, which CUDA graphs cannot compute; null if nothing does. */
  private @Nullable NgramProposer proposer(Options options) {
    NgramProposer proposer = EngineOptions.proposer(options);
    if (proposer != null && graphs(accelerated, precision.dtype(), options)) {
      throw options.wrong(SPECULATIVE_CONFIG, "no value without enforce_eager: true on a card");
    }
    return proposer;
  }

  /** Returns whether an engine may decode by CUDA graphs. */
  public static boolean graphs(boolean card, Dtype dtype, Options options) {
    return card && dtype == Dtype.BF16 && !options.get(ENFORCE_EAGER);
  }

  /** Returns the bytes of a token; CUDA graphs read a second copy of the whole cache. */
  private long cell(Options options, Dtype cache) {
    ModelMemoryEstimate need = new ModelMemoryEstimate(spec);
    boolean twice = graphs(accelerated, precision.dtype(), options);
    return need.cachedToken(cache) + (twice ? need.cachedToken(precision.dtype()) : 0);
  }

  private long asked(Options options, long blockBytes) {
    long blocks = options.get(NUM_GPU_BLOCKS_OVERRIDE);
    if (blocks > memory / blockBytes) {
      throw new UserException(
          "%s.%s: %d blocks take %s, this device has %s"
              .formatted(
                  options.where(),
                  NUM_GPU_BLOCKS_OVERRIDE.name(),
                  blocks,
                  ByteSize.of(blocks * blockBytes),
                  ByteSize.of(memory)));
    }
    return blocks;
  }

  /** Returns the weight format of linear layers, given the bytes that the cache must have. */
  private WeightFormat format(Options options, long share, long cache) {
    if (options.has(QUANTIZATION)) {
      if (precision.dtype() != Dtype.BF16 || !WeightFormat.supported(accelerated)) {
        throw options.wrong(
            QUANTIZATION, "no value: int8 needs dtype bf16 and an x86-64 processor");
      }
      if (!options.find(REORDER_WEIGHTS).orElse(true)) {
        throw options.wrong(REORDER_WEIGHTS, "true or no value with quantization: int8");
      }
      return WeightFormat.INT8;
    }
    // f32 products of narrow models take less time than oneDNN's overhead
    boolean worthwhile = precision.dtype() == Dtype.BF16 || spec.hidden() >= NARROW;
    boolean plenty = 2 * (weights(WeightFormat.REORDERED) + cache) <= share;
    boolean wanted =
        options.find(REORDER_WEIGHTS).orElse(worthwhile && plenty && !precision.batchInvariant());
    return wanted && WeightFormat.supported(accelerated)
        ? WeightFormat.REORDERED
        : WeightFormat.PLAIN;
  }

  /** Returns the bytes of the weights and their copies. */
  private long weights(WeightFormat format) {
    ModelMemoryEstimate need = new ModelMemoryEstimate(spec);
    return need.inference(precision.dtype())
        + (precision.wideHead() ? need.wideHead() : 0)
        + format.copies(spec, precision.dtype());
  }

  private long shared(Options options, long share, long blockBytes, long weights) {
    long blocks = Math.max(0, (share - weights) / blockBytes);
    if (blocks == 0) {
      throw new UserException(
          "%s.%s: the weights take %s of its %s (%s of memory in all), a block of the KV cache %s"
              .formatted(
                  options.where(),
                  GPU_MEMORY_UTILIZATION.name(),
                  ByteSize.of(weights),
                  ByteSize.of(share),
                  ByteSize.of(memory),
                  ByteSize.of(blockBytes)));
    }
    return blocks;
  }
}
