package roll.model.qwen2;

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
 * Qwen2 and Qwen2.5: Llama's decoder with biases on query, key and value (Qwen2 Technical Report,
 * 2024, section 2).
 *
 * <p>Defaults as in Hugging Face transformers, models/qwen2/configuration_qwen2.py.
 */
@Component(name = "roll.model.qwen2")
@RollModel("qwen2")
public final class Qwen2Family implements ModelFamily {
  @Override
  public DecoderSpec describe(String where, Map<String, @Nullable Object> config) {
    ConfigReader read = new ConfigReader(where, config);
    return DecoderReader.read(read, 32_768, Set.of(Trait.QUERY_KEY_VALUE_BIAS));
  }
}
