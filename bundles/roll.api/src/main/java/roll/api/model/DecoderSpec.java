package roll.api.model;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Specification of a decoder-only transformer of the Llama type: pre-norm RMSNorm, grouped-query
 * attention with rotary positions, a gated feed-forward layer. It determines the names of all
 * parameters and the forward pass.
 *
 * @param modelType {@code model_type} of config.json
 * @param vocabulary rows of the embedding
 * @param hidden width of the residual stream
 * @param intermediate width of the feed-forward layer, or of each expert
 * @param layers number of layers
 * @param attention heads and their width
 * @param rope rotary positions; one frequency per two dimensions of a head
 * @param maxPositions longest context
 * @param normEpsilon ε of RMSNorm
 * @param traits differences from the base architecture
 * @param initializerRange standard deviation of random weights
 * @param adapter low-rank adapters beside its projections, or null
 * @param vision its vision tower, or null
 * @param experts experts that replace the feed-forward layer, or null
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
  /** Checks that the parts are consistent. */
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

  /** A text decoder without experts and adapters. */
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

  /** Returns this decoder specification with other adapters, or without any. */
  public DecoderSpec with(@Nullable Adapter other) {
    return with(rope, traits, other, vision, experts);
  }

  /** Returns this decoder specification with other rotary positions. */
  public DecoderSpec rotating(Rope other) {
    return with(other, traits, adapter, vision, experts);
  }

  /** Returns this decoder specification with a vision tower. */
  public DecoderSpec seeing(VisionSpec tower) {
    return with(rope, traits, adapter, tower, experts);
  }

  /** Returns this decoder specification with experts instead of the feed-forward layer. */
  public DecoderSpec of(Experts several) {
    return with(rope, traits, adapter, vision, several);
  }

  /** Whether this decoder specification has {@code trait}. */
  public boolean has(Trait trait) {
    return traits.contains(trait);
  }

  /** Returns this decoder with a value head instead of the token head, without adapters. */
  public DecoderSpec withValueHead() {
    EnumSet<Trait> other = EnumSet.of(Trait.VALUE_HEAD);
    other.addAll(traits);
    other.remove(Trait.TIED_HEAD);
    return with(rope, other, null, vision, experts);
  }

  private DecoderSpec with(
      Rope otherRope,
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
        otherRope,
        maxPositions,
        normEpsilon,
        otherTraits,
        initializerRange,
        otherAdapter,
        otherVision,
        otherExperts);
  }

  /**
   * The numbers and sizes of a layer's attention heads.
   *
   * @param heads query heads
   * @param keyValueHeads key and value heads; divides {@code heads}
   * @param headSize width of a head, even; heads · headSize need not be the hidden width
   */
  public record Attention(int heads, int keyValueHeads, int headSize) {
    /** Width of all queries, and of the attention output. */
    public int queries() {
      return heads * headSize;
    }

    /** Width of all keys, and of all values. */
    public int keys() {
      return keyValueHeads * headSize;
    }
  }

  /**
   * Mixture of experts: a linear router chooses the experts of each token (Shazeer et al. 2017,
   * section 2).
   *
   * @param count number of experts
   * @param chosen number of experts per token: those with the largest softmax weights
   * @param normed whether the weights of the chosen experts are renormalized to sum to 1
   */
  public record Experts(int count, int chosen, boolean normed) {
    /** Creates the decoder specification experts and checks the counts. */
    public Experts {
      if (chosen < 1 || chosen > count) {
        throw new IllegalArgumentException(chosen + " of " + count + " experts");
      }
    }
  }

  /** A difference from the base architecture. */
  public enum Trait {
    /** Biases on the query, key and value projections. */
    QUERY_KEY_VALUE_BIAS,
    /** A bias on the attention output projection. */
    OUTPUT_BIAS,
    /** RMSNorm over each head of queries and keys, before the rotation. */
    QUERY_KEY_NORM,
    /** Biases on the three projections of the feed-forward layer. */
    FEED_FORWARD_BIAS,
    /** The gate of the feed-forward layer is GELU, approximated by tanh, instead of SiLU. */
    GELU,
    /** The factors of a norm are its weights plus one. */
    NORM_OFFSET,
    /** Embeddings are multiplied by the square root of the hidden width. */
    SCALED_EMBEDDING,
    /** The output head shares the embedding's weights. */
    TIED_HEAD,
    /** The output head computes one value per position instead of logits. */
    VALUE_HEAD
  }

  /**
   * Name, shape and initialization of one parameter tensor.
   *
   * @param name its name in the model's files
   * @param shape its dimensions
   * @param start its random initialization
   */
  public record Parameter(String name, List<Integer> shape, Initialization start) {
    /** Whether the decoder specification parameter belongs to an adapter. */
    public boolean adapts() {
      return name.endsWith(Adapter.A) || name.endsWith(Adapter.B);
    }

    /** Number of weights of the decoder specification parameter. */
    public long size() {
      return shape.stream().mapToLong(Integer::longValue).reduce(1, (a, b) -> a * b);
    }
  }

  /** Random initialization of a parameter. */
  public enum Initialization {
    /** Decoder specification initialization: normal distribution with the initializer range. */
    NORMAL,
    /** Uniform within ±1/√columns: Kaiming with a = √5, PEFT's initialization of A. */
    UNIFORM,
    /** Initialization of a parameter: all ones. */
    ONES,
    /** Initialization of a parameter: all zeros. */
    ZEROS
  }
}
