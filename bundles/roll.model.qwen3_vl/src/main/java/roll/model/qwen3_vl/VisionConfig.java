package roll.model.qwen3_vl;

import java.util.List;
import java.util.Set;
import roll.api.model.DecoderSpec;
import roll.api.model.VisionSpec;
import roll.api.model.VisionSpec.DeepStack;
import roll.decoder.ConfigReader;

/** Reads {@code vision_config} and the tokens of pictures and videos. */
final class VisionConfig {
  private static final int IMAGE_TOKEN = 151_655;
  private static final int VIDEO_TOKEN = 151_656;
  private static final String DEEP = "deepstack_visual_indexes";
  private static final String POSITIONS = "num_position_embeddings";

  private VisionConfig() {}

  /**
   * Returns the vision tower of {@code config} before {@code decoder}.
   *
   * @throws roll.api.option.UserException if a field is missing, invalid or not supported
   */
  static VisionSpec read(ConfigReader config, DecoderSpec decoder) {
    ConfigReader read = config.within("vision_config");
    if (read.keys().isEmpty()) {
      throw config.wrong("vision_config", "the facts of the vision tower");
    }
    read.refuseUnless("hidden_act", "gelu_pytorch_tanh");
    read.refuseUnless("in_channels", 3);
    read.within("rope_parameters").refuseUnless("rope_theta", 10_000);
    read.refuseUnless("out_hidden_size", decoder.hidden());
    int hidden = read.count("hidden_size", 1152);
    int heads = read.count("num_heads", 16);
    if (hidden % heads != 0 || hidden / heads % 4 != 0) {
      throw read.wrong(
          "num_heads", "heads whose width, of %d, is a multiple of 4".formatted(hidden));
    }
    int layers = read.count("depth", 27);
    return new VisionSpec(
        token(config, "image_token_id", IMAGE_TOKEN, decoder),
        token(config, "video_token_id", VIDEO_TOKEN, decoder),
        layers,
        hidden,
        heads,
        read.count("intermediate_size", 4304),
        3,
        read.count("temporal_patch_size", 2),
        read.count("patch_size", 16),
        read.count("spatial_merge_size", 2),
        0,
        Set.of(),
        new DeepStack(side(read), mergers(read, layers, decoder)));
  }

  private static int token(ConfigReader config, String key, int standard, DecoderSpec decoder) {
    int token = config.count(key, standard);
    if (token >= decoder.vocabulary()) {
      throw config.wrong(key, "a token below vocab_size " + decoder.vocabulary());
    }
    return token;
  }

  private static int side(ConfigReader read) {
    int positions = read.count(POSITIONS, 2304);
    int side = (int) Math.round(Math.sqrt(positions));
    if (side * side != positions) {
      throw read.wrong(POSITIONS, "a square number");
    }
    return side;
  }

  private static List<Integer> mergers(ConfigReader read, int layers, DecoderSpec decoder) {
    List<?> given = read.has(DEEP) ? read.list(DEEP) : List.of(8L, 16L, 24L);
    List<Integer> found =
        given.stream()
            .filter(n -> n instanceof Number number && number.doubleValue() == number.intValue())
            .map(n -> ((Number) n).intValue())
            .filter(layer -> layer >= 0 && layer < layers)
            .sorted()
            .distinct()
            .toList();
    if (found.size() != given.size()
        || found.size() > decoder.layers()
        || !found.toString().equals(given.toString())) {
      throw read.wrong(
          DEEP,
          "ascending numbers of layers below depth %d, at most num_hidden_layers %d"
              .formatted(layers, decoder.layers()));
    }
    return found;
  }
}
