package roll.model.seed_oss;

import java.util.EnumSet;
import java.util.HashMap;
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
 * Seed-OSS: Llama's decoder with a bias of its own flag at the attention output. Dropout, for which
 * its configurations have rates, is not applied.
 *
 * <p>Defaults as in Hugging Face transformers, models/seed_oss/configuration_seed_oss.py.
 */
@Component(name = "roll.model.seed_oss")
@RollModel("seed_oss")
public final class SeedOssFamily implements ModelFamily {
  @Override
  public DecoderSpec describe(String where, Map<String, @Nullable Object> config) {
    Map<String, @Nullable Object> used = new HashMap<>(config);
    // a policy with dropout would have other log-probs in training than in sampling
    used.keySet().removeAll(Set.of("attention_dropout", "residual_dropout"));
    ConfigReader read = new ConfigReader(where, used);
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    if (read.flag("attention_bias", true)) {
      traits.add(Trait.QUERY_KEY_VALUE_BIAS);
    }
    if (read.flag("attention_out_bias", false)) {
      traits.add(Trait.OUTPUT_BIAS);
    }
    if (read.flag("mlp_bias", false)) {
      traits.add(Trait.FEED_FORWARD_BIAS);
    }
    int headSize = config.containsKey("head_dim") ? DecoderReader.shared(read) : 128;
    return DecoderReader.read(read, 524_288, headSize, traits);
  }
}
