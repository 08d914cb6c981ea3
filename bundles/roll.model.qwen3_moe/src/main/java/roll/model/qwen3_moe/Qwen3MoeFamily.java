package roll.model.qwen3_moe;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Experts;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.family.ModelFamily;
import roll.api.model.family.RollModel;
import roll.decoder.ConfigReader;
import roll.decoder.DecoderReader;
import roll.decoder.ExpertsReader;

/**
 * Qwen3 with mixture of experts: the attention of the dense models, and experts in place of every
 * feed-forward layer (Qwen3 Technical Report, 2025, section 2).
 *
 * <p>Defaults as in Hugging Face transformers, models/qwen3_moe/configuration_qwen3_moe.py.
 */
@Component(name = "roll.model.qwen3_moe")
@RollModel("qwen3_moe")
public final class Qwen3MoeFamily implements ModelFamily {
  @Override
  public DecoderSpec describe(String where, Map<String, @Nullable Object> config) {
    ConfigReader read = new ConfigReader(where, config);
    Set<Trait> traits = EnumSet.of(Trait.QUERY_KEY_NORM);
    if (read.flag("attention_bias", false)) {
      traits.addAll(List.of(Trait.QUERY_KEY_VALUE_BIAS, Trait.OUTPUT_BIAS));
    }
    Experts experts = ExpertsReader.read(read, 128, 8, read.flag("norm_topk_prob", false));
    return DecoderReader.read(read, 32_768, DecoderReader.shared(read), traits, experts);
  }
}
