package roll.template;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The chat templates of the shipped models that see have places for pictures. */
class PicturePlaceholdersTest {
  @ParameterizedTest
  @ValueSource(strings = {"frozen-lake-vl-tiny", "bytes-vl-tiny", "qwen2.5-vl-3b-shape"})
  void picturesStandWhereTheirPartsAre(String folder) {
    Map<String, Object> picture = Map.of("type", "image");
    Map<String, Object> text = Map.of("type", "text", "text", "What is it?");
    String rendered =
        new FolderChatTemplates()
            .load(Path.of("../../configs/models", folder), Clock.systemUTC())
            .render(
                "the conversation",
                Map.of(
                    "messages",
                    List.of(
                        Map.of("role", "user", "content", List.of(picture, text)),
                        Map.of("role", "assistant", "content", "A lake."),
                        Map.of("role", "user", "content", List.of(picture))),
                    "add_generation_prompt",
                    true));
    assertEquals(
        """
        <|im_start|>user
        <|vision_start|><|image_pad|><|vision_end|>What is it?<|im_end|>
        <|im_start|>assistant
        A lake.<|im_end|>
        <|im_start|>user
        <|vision_start|><|image_pad|><|vision_end|><|im_end|>
        <|im_start|>assistant
        """,
        rendered);
  }
}
