package roll.rollout;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import roll.api.image.Picture;
import roll.api.rollout.ChatFormat;
import roll.image.FolderImageProcessors;
import roll.rollout.chat.NamedChatFormats;
import roll.template.FolderChatTemplates;

/**
 * A folder of a model that sees, without weights: 28 by 28 pixels are a token, and at least that
 * many are seen.
 *
 * @param path of the folder
 */
@NullMarked
public record VisionModelFolder(Path path) {
  /** Like Qwen2.5-VL's: parts in order, one image token for each picture. */
  static final String PARTS =
      """
      {%- for m in messages %}{{ '<|im_start|>' + m.role + '\\n' }}
      {%- if m.content is string %}{{ m.content }}
      {%- else %}
      {%- for c in m.content %}
      {%- if c.type == 'image' %}{{ '<|vision_start|><|image_pad|><|vision_end|>' }}
      {%- else %}{{ c.text }}{% endif %}
      {%- endfor %}
      {%- endif %}{{ '<|im_end|>\\n' }}
      {%- endfor %}
      {%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}\
      """;

  /** Id of the image token. */
  public static final int IMAGE = CharTokenizer.START + 5;

  /** Writes the folder. */
  public static VisionModelFolder in(Path path) {
    VisionModelFolder folder = new VisionModelFolder(path);
    folder.write(
        "config.json",
        """
        {"vision_config": {}, "vision_start_token_id": 131, "vision_end_token_id": 132,
         "image_token_id": 133, "video_token_id": 134}\
        """);
    folder.write(
        "preprocessor_config.json",
        """
        {"image_processor_type": "Qwen2VLImageProcessor", "min_pixels": 784}\
        """);
    return folder.template(PARTS);
  }

  /** The same with another chat template. */
  public VisionModelFolder template(String template) {
    write("chat_template.jinja", template);
    return this;
  }

  void write(String file, String text) {
    try {
      Files.writeString(path.resolve(file), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns its tokenizer. */
  public CharTokenizer tokenizer() {
    return new CharTokenizer(
        path,
        "<|im_start|>",
        "<|im_end|>",
        "<|endoftext|>",
        "<|vision_start|>",
        "<|vision_end|>",
        "<|image_pad|>",
        "<|video_pad|>");
  }

  /** Formats that know templates and image processors. */
  public static NamedChatFormats formats() {
    return new NamedChatFormats(new FolderChatTemplates(), new FolderImageProcessors());
  }

  /** The format called {@code name}. */
  public ChatFormat format(String name) {
    return formats().find(name, tokenizer(), Map.of());
  }

  /** The text of {@code tokens}, image tokens one after the other as their number. */
  public String text(int[] tokens) {
    StringBuilder text = new StringBuilder();
    int at = 0;
    while (at < tokens.length) {
      int end = at;
      while (end < tokens.length && tokens[end] == IMAGE) {
        end++;
      }
      text.append(
          end > at
              ? "[" + (end - at) + "]"
              : tokenizer().decode(Arrays.copyOfRange(tokens, at, at + 1), true));
      at = Math.max(end, at + 1);
    }
    return text.toString();
  }

  /** A picture of one color that has {@code wide} times {@code high} tokens. */
  public static Picture picture(int wide, int high, int color) {
    BufferedImage image = new BufferedImage(28 * wide, 28 * high, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = image.createGraphics();
    g.setColor(new Color(color));
    g.fillRect(0, 0, image.getWidth(), image.getHeight());
    g.dispose();
    return Picture.png(image);
  }
}
