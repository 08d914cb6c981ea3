package roll.image;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.image.ImageGrid;
import roll.api.image.ImageSize;

/** The model folders that see, as shipped: their files agree with each other. */
class ModelFoldersTest {
  private static final Path MODELS = Path.of("../../configs/models");

  private static JsonObject read(String folder, String file) throws IOException {
    return JsonParser.parseString(Files.readString(MODELS.resolve(folder).resolve(file)))
        .getAsJsonObject();
  }

  @ParameterizedTest
  @ValueSource(strings = {"frozen-lake-vl-tiny", "bytes-vl-tiny", "qwen2.5-vl-3b-shape"})
  void theirFilesAgree(String folder) throws IOException {
    JsonObject config = read(folder, "config.json");
    JsonObject vision = config.getAsJsonObject("vision_config");
    JsonObject processor = read(folder, "preprocessor_config.json");
    assertEquals(vision.get("patch_size"), processor.get("patch_size"));
    assertEquals(vision.get("spatial_merge_size"), processor.get("merge_size"));
    assertEquals(vision.get("temporal_patch_size"), processor.get("temporal_patch_size"));
    assertEquals(config.get("hidden_size"), vision.get("out_hidden_size"));
    assertEquals(
        0, vision.get("hidden_size").getAsInt() % (4 * vision.get("num_heads").getAsInt()));
    int head = config.get("hidden_size").getAsInt() / config.get("num_attention_heads").getAsInt();
    int sections = 0;
    for (JsonElement section :
        config.getAsJsonObject("rope_scaling").getAsJsonArray("mrope_section")) {
      sections += section.getAsInt();
    }
    assertEquals(head / 2, sections);
    check(folder, config, "vision_start_token_id", "<|vision_start|>");
    check(folder, config, "vision_end_token_id", "<|vision_end|>");
    check(folder, config, "image_token_id", "<|image_pad|>");
    check(folder, config, "video_token_id", "<|video_pad|>");
  }

  private static void check(String folder, JsonObject config, String key, String content)
      throws IOException {
    int id = -1;
    for (JsonElement token : read(folder, "tokenizer.json").getAsJsonArray("added_tokens")) {
      if (token.getAsJsonObject().get("content").getAsString().equals(content)) {
        id = token.getAsJsonObject().get("id").getAsInt();
      }
    }
    assertEquals(id, config.get(key).getAsInt(), content);
  }

  @Test
  void aCellOfTheLakeIsAToken() {
    var processor = new FolderImageProcessors().load(MODELS.resolve("frozen-lake-vl-tiny"));
    ImageGrid grid = processor.grid("lake", 112, 112);
    assertEquals(new ImageGrid(1, 8, 8), grid);
    assertEquals(16, grid.tokens(2));
    assertEquals(new ImageSize(112, 112), processor.seen("lake", 112, 112));
  }

  @ParameterizedTest
  @CsvSource({
    "bytes-vl-tiny, 224, 224, 64",
    "bytes-vl-tiny, 112, 112, 16",
    "qwen2.5-vl-3b-shape, 784, 588, 588",
    "qwen2.5-vl-3b-shape, 644, 504, 414",
    "qwen2.5-vl-3b-shape, 800, 600, 609"
  })
  void picturesHaveTheTokensThatThePagesSay(String folder, int width, int height, int tokens) {
    var processor = new FolderImageProcessors().load(MODELS.resolve(folder));
    assertEquals(tokens, processor.grid("picture", width, height).tokens(2));
  }
}
