package roll.model.qwen3_vl;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Experts;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Rope;
import roll.api.model.family.ModelFamily;
import roll.api.model.family.RollModel;
import roll.decoder.ConfigReader;
import roll.decoder.DecoderReader;
import roll.decoder.ExpertsReader;
import roll.decoder.TextConfig;

/**
 * Qwen3-VL: the decoder of Qwen3 or Qwen3-MoE with interleaved M-RoPE, after a vision tower with
 * DeepStack (Qwen3-VL Technical Report, 2025, section 2).
 *
 * <p>Fields and defaults as in Hugging Face transformers, models/qwen3_vl/configuration_qwen3_vl.py
 * and models/qwen3_vl_moe/configuration_qwen3_vl_moe.py.
 */
@Component(name = "roll.model.qwen3_vl")
@RollModel({"qwen3_vl", "qwen3_vl_moe"})
public final class Qwen3VlFamily implements ModelFamily {
  private static final String MOE = "qwen3_vl_moe";
  private static final String THETA = "rope_theta";

  @Override
  public DecoderSpec describe(String where, Map<String, @Nullable Object> config) {
    ConfigReader read = new ConfigReader(where, config);
    TextConfig text = TextConfig.of(where, config);
    Set<Trait> traits = EnumSet.of(Trait.QUERY_KEY_NORM);
    if (text.reader().flag("attention_bias", false)) {
      traits.addAll(List.of(Trait.QUERY_KEY_VALUE_BIAS, Trait.OUTPUT_BIAS));
    }
    DecoderSpec decoder = decoder(text.reader(), traits);
    if (decoder.has(Trait.VALUE_HEAD)) {
      throw read.unsupported(
          "architectures", "a value model with vision", "those for conditional generation");
    }
    return decoder.rotating(rope(text, decoder.rope())).seeing(VisionConfig.read(read, decoder));
  }

  private static DecoderSpec decoder(ConfigReader text, Set<Trait> traits) {
    if (!MOE.equals(text.text("model_type"))) {
      return DecoderReader.read(text, 128_000, 128, traits);
    }
    text.refuseUnless("norm_topk_prob", true); // transformers does not read it
    Experts experts = ExpertsReader.read(text, 60, 4, true);
    return DecoderReader.read(text, 128_000, DecoderReader.shared(text), traits, experts);
  }

  private static Rope rope(TextConfig text, Rope standard) {
    if (!text.rope().has(THETA)) {
      double unused = text.reader().positive(THETA); // transformers has had two defaults
    }
    text.rope().refuseUnless("mrope_interleaved", true);
    return standard.interleaved(text.sections(standard.frequencies().size()));
  }
}
