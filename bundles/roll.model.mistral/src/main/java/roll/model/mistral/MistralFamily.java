package roll.model.mistral;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.model.DecoderSpec;
import roll.api.model.family.ModelFamily;
import roll.api.model.family.RollModel;
import roll.decoder.ConfigReader;
import roll.decoder.DecoderReader;

/**
 * Mistral: Llama's decoder with sliding-window attention (Jiang et al. 2023, section 2). Only
 * sequences within the window, where it has no effect, are supported.
 *
 * <p>Defaults as in Hugging Face transformers, models/mistral/configuration_mistral.py.
 */
@Component(name = "roll.model.mistral")
@RollModel("mistral")
public final class MistralFamily implements ModelFamily {
  private static final String WINDOW = "sliding_window";
  private static final int STANDARD = 4096;
  private static final int POSITIONS = 32 * STANDARD;

  @Override
  public DecoderSpec describe(String where, Map<String, @Nullable Object> config) {
    ConfigReader read = new ConfigReader(where, config);
    DecoderSpec spec = DecoderReader.read(read, POSITIONS, Set.of());
    boolean none = config.containsKey(WINDOW) && config.get(WINDOW) == null;
    int window = none ? spec.maxPositions() : read.count(WINDOW, STANDARD);
    return window >= spec.maxPositions() ? spec : within(spec, window);
  }

  private static DecoderSpec within(DecoderSpec spec, int positions) {
    return new DecoderSpec(
        spec.modelType(),
        spec.vocabulary(),
        spec.hidden(),
        spec.intermediate(),
        spec.layers(),
        spec.attention(),
        spec.rope(),
        positions,
        spec.normEpsilon(),
        spec.traits(),
        spec.initializerRange());
  }
}
