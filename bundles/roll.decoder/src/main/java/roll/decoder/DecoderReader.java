package roll.decoder;

import java.util.EnumSet;
import java.util.Set;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Experts;
import roll.api.model.DecoderSpec.Trait;

/**
 * Reads the fields of config.json that all decoder families share, and refuses features that the
 * shared kernels do not support. A family adds its traits and defaults.
 *
 * <p>Fields and defaults as in Hugging Face transformers, configuration_{llama,qwen2,qwen3}.py.
 */
public final class DecoderReader {
  /** Maximum number of layers, far above any model; a larger number means a damaged file. */
  private static final int MOST_LAYERS = 10_000;

  private static final int MOST_HEAD_SIZE = 65_536;

  private final ConfigReader config;

  private DecoderReader(ConfigReader config) {
    this.config = config;
  }

  /**
   * Reads a decoder whose head size is the hidden size divided by the heads, unless there is {@code
   * head_dim}.
   *
   * @param maxPositions if config.json has no {@code max_position_embeddings}
   * @param traits of the family; {@code TIED_HEAD} is the default of {@code tie_word_embeddings}
   * @throws roll.api.option.UserException if a field is missing, invalid or not supported
   */
  public static DecoderSpec read(ConfigReader config, int maxPositions, Set<Trait> traits) {
    return read(config, maxPositions, shared(config), traits);
  }

  /**
   * Returns the hidden size divided by the heads; any number if there is {@code head_dim}.
   *
   * @throws roll.api.option.UserException if it is not divisible
   */
  public static int shared(ConfigReader config) {
    if (!config.has("head_dim")) {
      config.requireDivisible("hidden_size", "num_attention_heads");
    }
    return config.count("hidden_size") / config.count("num_attention_heads");
  }

  /**
   * Reads a decoder with a default head size.
   *
   * @param headSize if config.json has no {@code head_dim}
   */
  public static DecoderSpec read(
      ConfigReader config, int maxPositions, int headSize, Set<Trait> traits) {
    return read(config, maxPositions, headSize, traits, "intermediate_size");
  }

  /**
   * Reads a decoder whose layers have {@code experts} of {@code moe_intermediate_size} in place of
   * a feed-forward layer.
   *
   * @param headSize if config.json has no {@code head_dim}
   */
  public static DecoderSpec read(
      ConfigReader config, int maxPositions, int headSize, Set<Trait> traits, Experts experts) {
    return read(config, maxPositions, headSize, traits, "moe_intermediate_size").of(experts);
  }

  private static DecoderSpec read(
      ConfigReader config, int maxPositions, int headSize, Set<Trait> traits, String width) {
    DecoderReader reader = new DecoderReader(config);
    reader.refuse(traits.contains(Trait.GELU) ? "gelu_pytorch_tanh" : "silu");
    return reader.decoder(
        config.count("max_position_embeddings", maxPositions),
        reader.attention(config.count("head_dim", headSize)),
        reader.with(traits),
        config.count(width));
  }

  private void refuse(String activation) {
    config.refuseUnless("hidden_act", activation);
    config.refuseUnless("attention_dropout", 0.0);
    config.refuseUnless("use_sliding_window", false);
    for (Object kind : config.list("layer_types")) {
      if (!"full_attention".equals(kind)) {
        throw config.unsupported("layer_types", String.valueOf(kind), "full_attention");
      }
    }
    if (config.count("num_hidden_layers") > MOST_LAYERS) {
      int found = config.count("num_hidden_layers");
      throw config.unsupported("num_hidden_layers", found, "up to " + MOST_LAYERS);
    }
    if (config.has("quantization_config")) {
      throw config.unsupported("quantization_config", "a quantized model", "f32, f16, bf16");
    }
  }

  private Attention attention(int headSize) {
    int heads = config.count("num_attention_heads");
    if (config.has("num_key_value_heads")) {
      config.requireDivisible("num_attention_heads", "num_key_value_heads");
    }
    if (headSize % 2 != 0 || headSize > MOST_HEAD_SIZE) {
      throw config.unsupported("head_dim", headSize, "even numbers up to " + MOST_HEAD_SIZE);
    }
    return new Attention(heads, config.count("num_key_value_heads", heads), headSize);
  }

  private Set<Trait> with(Set<Trait> traits) {
    EnumSet<Trait> all = EnumSet.noneOf(Trait.class);
    all.addAll(traits);
    boolean tied = all.remove(Trait.TIED_HEAD);
    if (isValueModel()) {
      all.add(Trait.VALUE_HEAD);
    } else if (config.flag("tie_word_embeddings", tied)) {
      all.add(Trait.TIED_HEAD);
    }
    return all;
  }

  /**
   * Returns whether the model was saved with a classification head, of which a value head is one
   * class.
   */
  private boolean isValueModel() {
    return config.list("architectures").stream()
        .map(String::valueOf)
        .anyMatch(name -> name.matches(".*For(Token|Sequence)Classification"));
  }

  private DecoderSpec decoder(
      int maxPositions, Attention attention, Set<Trait> traits, int intermediate) {
    return new DecoderSpec(
        config.text("model_type"),
        config.count("vocab_size"),
        config.count("hidden_size"),
        intermediate,
        config.count("num_hidden_layers"),
        attention,
        RopeReader.read(config, attention.headSize(), maxPositions),
        maxPositions,
        config.positive("rms_norm_eps", 1e-6),
        traits,
        config.positive("initializer_range", 0.02));
  }
}
