package roll.model.gemma;

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
 * The first Gemma: Llama's decoder with GELU, norms of 1 + w, scaled embeddings and a tied head
 * (Gemma Team 2024, section 2).
 *
 * <p>Defaults as in Hugging Face transformers, models/gemma/configuration_gemma.py.
 */
@Component(name = "roll.model.gemma")
@RollModel("gemma")
public final class GemmaFamily implements ModelFamily {
  @Override
  public DecoderSpec describe(String where, Map<String, @Nullable Object> config) {
    ConfigReader read = new ConfigReader(where, config);
    read.refuseUnless("hidden_activation", "gelu_pytorch_tanh");
    read.refuseUnless("use_bidirectional_attention", false);
    Set<Trait> traits =
        EnumSet.of(Trait.GELU, Trait.NORM_OFFSET, Trait.SCALED_EMBEDDING, Trait.TIED_HEAD);
    if (read.flag("attention_bias", false)) {
      traits.addAll(List.of(Trait.QUERY_KEY_VALUE_BIAS, Trait.OUTPUT_BIAS));
    }
    return DecoderReader.read(read, 8192, 256, traits);
  }
}
