package roll.model.qwen2_5_vl;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Rope;
import roll.api.model.VisionSpec;
import roll.api.model.family.ModelFamily;
import roll.api.model.family.RollModel;
import roll.decoder.ConfigReader;
import roll.decoder.DecoderReader;
import roll.decoder.TextConfig;

/**
 * Qwen2.5-VL: the decoder of Qwen2.5 with M-RoPE, after a vision tower (Bai et al. 2025,
 * "Qwen2.5-VL Technical Report", section 2.1).
 *
 * <p>Fields and defaults as in Hugging Face transformers,
 * models/qwen2_5_vl/configuration_qwen2_5_vl.py.
 */
@Component(name = "roll.model.qwen2_5_vl")
@RollModel("qwen2_5_vl")
public final class Qwen25VlFamily implements ModelFamily {
  private static final int IMAGE_TOKEN = 151_655;
  private static final int VIDEO_TOKEN = 151_656;

  @Override
  public DecoderSpec describe(String where, Map<String, @Nullable Object> config) {
    ConfigReader read = new ConfigReader(where, config);
    TextConfig text = TextConfig.of(where, config);
    DecoderSpec decoder =
        DecoderReader.read(text.reader(), 32_768, Set.of(Trait.QUERY_KEY_VALUE_BIAS));
    if (decoder.has(Trait.VALUE_HEAD)) {
      throw read.unsupported(
          "architectures", "a value model with vision", "Qwen2_5_VLForConditionalGeneration");
    }
    VisionSpec vision = vision(read, decoder.hidden());
    Rope rope = decoder.rope();
    for (String key : List.of("image_token_id", "video_token_id")) {
      if (read.has(key) && read.count(key) >= decoder.vocabulary()) {
        throw read.wrong(key, "a token below vocab_size " + decoder.vocabulary());
      }
    }
    return decoder
        .rotating(rope.inSections(text.sections(rope.frequencies().size())))
        .seeing(vision);
  }

  private static VisionSpec vision(ConfigReader config, int hidden) {
    ConfigReader read = config.within("vision_config");
    if (read.keys().isEmpty()) {
      throw config.wrong("vision_config", "the facts of the vision tower");
    }
    read.refuseUnless("hidden_act", "silu");
    read.refuseUnless("in_channels", 3);
    read.refuseUnless("in_chans", 3); // what the published files call it
    read.refuseUnless("out_hidden_size", hidden);
    read.requireDivisible("hidden_size", "num_heads");
    if (read.count("hidden_size") / read.count("num_heads") % 4 != 0) {
      throw read.wrong("num_heads", "heads whose width is a multiple of 4");
    }
    int patch = read.count("patch_size", 14);
    int merge = read.count("spatial_merge_size", 2);
    int window = read.count("window_size", 112);
    if (window % (patch * merge) != 0) {
      throw read.wrong("window_size", "a multiple of a square's " + patch * merge + " pixels");
    }
    int layers = read.count("depth", 32);
    return new VisionSpec(
        config.count("image_token_id", IMAGE_TOKEN),
        config.count("video_token_id", VIDEO_TOKEN),
        layers,
        read.count("hidden_size"),
        read.count("num_heads"),
        read.count("intermediate_size", 3420),
        3,
        read.count("temporal_patch_size", 2),
        patch,
        merge,
        window,
        fullAttention(read, layers));
  }

  private static Set<Integer> fullAttention(ConfigReader read, int layers) {
    String key = "fullatt_block_indexes";
    List<?> given = read.has(key) ? read.list(key) : List.of(7L, 15L, 23L, 31L);
    for (Object number : given) {
      if (!(number instanceof Number n) || n.intValue() != n.doubleValue() || n.intValue() < 0) {
        throw read.wrong(key, "numbers of layers");
      }
    }
    return Set.copyOf(
        given.stream()
            .map(number -> ((Number) number).intValue())
            .filter(number -> number < layers)
            .toList());
  }
}
