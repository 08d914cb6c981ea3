package roll.model.llama;

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
 * Llama 2 and 3, and the models that share their layout: biases only if config.json has them
 * (Touvron et al. 2023; Grattafiori et al. 2024, section 3.2).
 *
 * <p>Defaults as in Hugging Face transformers, models/llama/configuration_llama.py.
 */
@Component(name = "roll.model.llama")
@RollModel("llama")
public final class LlamaFamily implements ModelFamily {
  @Override
  public DecoderSpec describe(String where, Map<String, @Nullable Object> config) {
    ConfigReader read = new ConfigReader(where, config);
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    if (read.flag("attention_bias", false)) {
      traits.addAll(List.of(Trait.QUERY_KEY_VALUE_BIAS, Trait.OUTPUT_BIAS));
    }
    if (read.flag("mlp_bias", false)) {
      traits.add(Trait.FEED_FORWARD_BIAS);
    }
    return DecoderReader.read(read, 2048, traits);
  }
}
