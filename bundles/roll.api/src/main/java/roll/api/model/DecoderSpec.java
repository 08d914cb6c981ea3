package roll.api.model;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a decoder-only transformer in the way of Llama: pre-norm RMSNorm, grouped-query
 * attention with rotary positions, a gated feed-forward layer. They are enough to name its
 * parameters and to run it.
 *
 * @param modelType {@code model_type} of config.json
 * @param vocabulary rows of the embedding
 * @param hidden width of the residual stream
 * @param intermediate width of the feed-forward layer; of each expert where there are several
 * @param layers number of layers
 * @param attention heads and their width
 * @param rope rotary positions; one frequency for every two numbers of a head
 * @param maxPositions longest context
 * @param normEpsilon ε of RMSNorm
 * @param traits what tells this decoder from others of the same shape
 * @param initializerRange standard deviation of random weights
 * @param adapter low-rank adapters beside its projections, or null
 * @param vision what shows it pictures, or null
 * @param experts those that every layer has in place of one feed-forward layer, or null
 */
public record DecoderSpec(
    String modelType,
    int vocabulary,
    int hidden,
    int intermediate,
    int layers,
    Attention attention,
    Rope rope,
    int maxPositions,
    double normEpsilon,
    Set<Trait> traits,
    double initializerRange,
    @Nullable Adapter adapter,
    @Nullable VisionSpec vision,
    @Nullable Experts experts) {
  /** Facts that fit each other. */
  public DecoderSpec {
    traits = Set.copyOf(traits);
    if (2 * rope.frequencies().size() != attention.headSize()) {
      throw new IllegalArgumentException(
          rope.frequencies().size() + " frequencies for heads of " + attention.headSize());
    }
    if (experts != null && traits.contains(Trait.FEED_FORWARD_BIAS)) {
      throw new IllegalArgumentException("experts have no biases");
    }
  }

  /** A decoder without experts and adapters that sees no pictures. */
  public DecoderSpec(
      String modelType,
      int vocabulary,
      int hidden,
      int intermediate,
      int layers,
      Attention attention,
      Rope rope,
      int maxPositions,
      double normEpsilon,
      Set<Trait> traits,
      double initializerRange) {
    this(
        modelType,
        vocabulary,
        hidden,
        intermediate,
        layers,
        attention,
        rope,
        maxPositions,
        normEpsilon,
        traits,
        initializerRange,
        null,
        null,
        null);
  }

  /** This decoder with the adapters {@code other} in place of its own, or without any. */
  public DecoderSpec with(@Nullable Adapter other) {
    return with(traits, other, vision, experts);
  }

  /** This decoder with {@code tower} before it. */
  public DecoderSpec seeing(VisionSpec tower) {
    return with(traits, adapter, tower, experts);
  }

  /** This decoder with {@code several} in place of the feed-forward layer of every layer. */
  public DecoderSpec of(Experts several) {
    return with(traits, adapter, vision, several);
  }

  /** Whether this decoder has {@code trait}. */
  public boolean has(Trait trait) {
    return traits.contains(trait);
  }

  /** This decoder with a value head in place of the one it has, without adapters. */
  public DecoderSpec withValueHead() {
    EnumSet<Trait> other = EnumSet.of(Trait.VALUE_HEAD);
    other.addAll(traits);
    other.remove(Trait.TIED_HEAD);
    return with(other, null, vision, experts);
  }

  private DecoderSpec with(
      Set<Trait> otherTraits,
      @Nullable Adapter otherAdapter,
      @Nullable VisionSpec otherVision,
      @Nullable Experts otherExperts) {
    return new DecoderSpec(
        modelType,
        vocabulary,
        hidden,
        intermediate,
        layers,
        attention,
        rope,
        maxPositions,
        normEpsilon,
        otherTraits,
        initializerRange,
        otherAdapter,
        otherVision,
        otherExperts);
  }

  /**
   * The heads of a layer.
   *
   * @param heads query heads
   * @param keyValueHeads key and value heads; divides {@code heads}
   * @param headSize width of a head, even; heads · headSize need not be the hidden width
   */
  public record Attention(int heads, int keyValueHeads, int headSize) {
    /** Width of all queries, and of what attention gives. */
    public int queries() {
      return heads * headSize;
    }

    /** Width of all keys, and of all values. */
    public int keys() {
      return keyValueHeads * headSize;
    }
  }

  /**
   * The feed-forward layers of a layer, of which each token is computed by some: a linear layer,
   * the router, says by which (Shazeer et al. 2017, section 2).
   *
   * @param count how many there are
   * @param chosen how many compute a token: those to which the softmax over all gives most
   * @param normed whether what these are weighted with adds up to 1; else it is the softmax's
   */
  public record Experts(int count, int chosen, boolean normed) {
    /** At least one, and no more chosen than there are. */
    public Experts {
      if (chosen < 1 || chosen > count) {
        throw new IllegalArgumentException(chosen + " of " + count + " experts");
      }
    }
  }

  /** What a decoder may have beside the common parts. */
  public enum Trait {
    /** Biases on the query, key and value projections. */
    QUERY_KEY_VALUE_BIAS,
    /** A bias on the projection behind attention. */
    OUTPUT_BIAS,
    /** RMSNorm over each head of queries and keys, before the rotation. */
    QUERY_KEY_NORM,
    /** Biases on the three projections of the feed-forward layer. */
    FEED_FORWARD_BIAS,
    /** The output head is the embedding. */
    TIED_HEAD,
    /** The output head gives one number per position, its value, and no logits. */
    VALUE_HEAD
  }

  /**
   * One named tensor.
   *
   * @param name its name in the model's files
   * @param shape its dimensions
   * @param start how random weights begin
   */
  public record Parameter(String name, List<Integer> shape, Initialization start) {
    /** Whether this is a part of an adapter. */
    public boolean adapts() {
      return name.endsWith(Adapter.A) || name.endsWith(Adapter.B);
    }

    /** Number of weights. */
    public long size() {
      return shape.stream().mapToLong(Integer::longValue).reduce(1, (a, b) -> a * b);
    }
  }

  /** How a parameter begins where no file gives it. */
  public enum Initialization {
    /** Normally distributed with the initializer range. */
    NORMAL,
    /** Uniform within ±1/√columns: Kaiming's for a = √5, with which PEFT starts A. */
    UNIFORM,
    /** All ones. */
    ONES,
    /** All zeros. */
    ZEROS
  }
}
