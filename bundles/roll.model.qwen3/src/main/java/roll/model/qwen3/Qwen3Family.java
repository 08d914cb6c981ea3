package roll.model.qwen3;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.family.ModelFamily;
import roll.api.model.family.RollModel;
import roll.decoder.ConfigReader;
import roll.decoder.DecoderReader;

/**
 * The dense Qwen3 models: queries and keys have norms for each head instead of biases, and a
 * default head size (Qwen3 Technical Report, 2025, section 2).
 *
 * <p>Defaults as in Hugging Face transformers, models/qwen3/configuration_qwen3.py.
 */
@Component(name = "roll.model.qwen3")
@RollModel("qwen3")
public final class Qwen3Family implements ModelFamily {
  @Override
  public DecoderSpec describe(String where, Map<String, @Nullable Object> config) {
    ConfigReader read = new ConfigReader(where, config);
    Set<Trait> traits = EnumSet.of(Trait.QUERY_KEY_NORM);
    if (read.flag("attention_bias", false)) {
      traits.addAll(List.of(Trait.QUERY_KEY_VALUE_BIAS, Trait.OUTPUT_BIAS));
    }
    return DecoderReader.read(read, 32_768, 128, traits);
  }
}
