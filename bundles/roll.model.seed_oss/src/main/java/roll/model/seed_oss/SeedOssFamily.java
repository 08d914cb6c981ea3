package roll.model.seed_oss;

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
 * Seed-OSS: Llama's decoder with a bias of its own flag at the attention output, and two rates of
 * dropout, of which only 0 is supported.
 *
 * <p>Defaults as in Hugging Face transformers, models/seed_oss/configuration_seed_oss.py.
 */
@Component(name = "roll.model.seed_oss")
@RollModel("seed_oss")
public final class SeedOssFamily implements ModelFamily {
  private static final double DROPOUT = 0.1;

  @Override
  public DecoderSpec describe(String where, Map<String, @Nullable Object> config) {
    ConfigReader read = new ConfigReader(where, config);
    for (String rate : List.of("attention_dropout", "residual_dropout")) {
      double found = read.share(rate, DROPOUT);
      if (found > 0) {
        throw read.unsupported(rate, found, "0.0");
      }
    }
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
