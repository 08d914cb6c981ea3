package roll.testkit;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;
import roll.api.image.Picture;

/**
 * A small Qwen2.5-VL or Qwen3-VL without weight files, to be initialized randomly, with a prompt
 * and pictures.
 */
public final class TinyQwenVl {
  /** The image token of the tiny model. */
  public static final int IMAGE = 150;

  /** Image and video tokens, which are never sampled. */
  public static final Set<Integer> PARTS = Set.of(IMAGE, 151);

  /** Size of the vocabulary. */
  public static final int VOCABULARY = 160;

  private static final String CONFIG =
      """
      {"model_type": "qwen2_5_vl", "vocab_size": 160, "hidden_size": 32, "intermediate_size": 48,
       "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
       "max_position_embeddings": 128, "rope_theta": 1000.0, "tie_word_embeddings": false,
       "initializer_range": 0.3, "image_token_id": 150, "video_token_id": 151,
       "rope_scaling": {"type": "mrope", "mrope_section": [1, 1, 2]},
       "vision_config": {"depth": 2, "hidden_size": 32, "num_heads": 2, "intermediate_size": 40,
         "out_hidden_size": 32, "window_size": 56, "fullatt_block_indexes": [1]}}
      """;

  private static final String DEEP =
      """
      {"model_type": "qwen3_vl", "image_token_id": 150, "video_token_id": 151,
       "text_config": {"vocab_size": 160, "hidden_size": 32, "intermediate_size": 48,
         "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8,
         "max_position_embeddings": 128, "tie_word_embeddings": false, "initializer_range": 0.3,
         "rope_theta": 1000.0, "rope_scaling": {"mrope_section": [2, 1, 1]}},
       "vision_config": {"depth": 3, "hidden_size": 32, "num_heads": 2, "intermediate_size": 40,
         "patch_size": 14, "num_position_embeddings": 9, "deepstack_visual_indexes": [0, 2]}}
      """;

  private static final String PROCESSOR =
      "{\"image_processor_type\": \"Qwen2VLImageProcessor\", \"min_pixels\": 784}";

  private TinyQwenVl() {}

  /**
   * Writes the folder of a Qwen2.5-VL.
   *
   * @param tokenizer a folder whose tokenizer has fewer tokens
   * @return {@code folder}
   */
  public static Path write(Path folder, Path tokenizer) throws IOException {
    return write(folder, tokenizer, CONFIG);
  }

  /** Writes the folder of a Qwen3-VL, with DeepStack, for the same prompt and pictures. */
  public static Path writeDeep(Path folder, Path tokenizer) throws IOException {
    return write(folder, tokenizer, DEEP);
  }

  private static Path write(Path folder, Path tokenizer, String config) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("config.json"), config);
    Files.writeString(folder.resolve("preprocessor_config.json"), PROCESSOR);
    for (String file : List.of("tokenizer.json", "tokenizer_config.json")) {
      Files.copy(tokenizer.resolve(file), folder.resolve(file));
    }
    return folder;
  }

  /** Returns three tokens, the image tokens of a picture of 84 × 56 pixels, and two tokens. */
  public static int[] prompt() {
    return new int[] {1, 5, 2, IMAGE, IMAGE, IMAGE, IMAGE, IMAGE, IMAGE, 7, 3};
  }

  /** Returns a picture of random pixels; 28 × 28 pixels are an image token. */
  public static Picture picture(int width, int height, long seed) {
    RandomGenerator random = RandomStreams.of(seed, "picture");
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < width * height; i++) {
      image.setRGB(i % width, i / width, random.nextInt(1 << 24));
    }
    return Picture.png(image);
  }

  /** Returns two different pictures that fit {@link #prompt}. */
  public static List<Picture> pictures() {
    return List.of(picture(84, 56, 1), picture(84, 56, 2));
  }
}
