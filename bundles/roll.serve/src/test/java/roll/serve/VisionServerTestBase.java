package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.awt.image.BufferedImage;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import roll.api.image.ImageGrid;
import roll.api.image.ImagePatches;
import roll.api.image.ImageProcessor;
import roll.api.image.ImageSize;
import roll.api.image.Picture;
import roll.api.image.VisionTokens;
import roll.api.model.ChatTemplate;
import roll.api.option.UserException;
import roll.api.strategy.GenerationRequest;
import roll.runtime.serving.ListenSettings;
import roll.runtime.serving.PictureSettings;
import roll.runtime.serving.ServedModel;
import roll.runtime.serving.Serving;
import roll.runtime.vision.PictureTokens;
import roll.testkit.Utf8Tokenizer;

/** A server with a vision-language model whose image token is that of the byte '#'. */
@Timeout(60)
abstract class VisionServerTestBase {
  static final String CHAT = "/v1/chat/completions";
  static final Picture SMALL = picture(2);
  static final Picture LARGE = picture(5);

  /** Expands a picture to one image token per pixel of width. */
  static final ImageProcessor WIDTHS =
      new ImageProcessor() {
        @Override
        public ImagePatches process(String where, byte[] encoded) {
          Picture picture = Picture.of(encoded);
          if (!picture.equals(SMALL) && !picture.equals(LARGE)) {
            throw new UserException(where + ": a broken picture");
          }
          int width = picture.equals(SMALL) ? 2 : 5;
          ImageSize size = new ImageSize(width, 1);
          return new ImagePatches(size, size, grid(where, width, 1), 1, new float[width]);
        }

        @Override
        public ImagePatches process(String where, BufferedImage picture) {
          throw new UnsupportedOperationException();
        }

        @Override
        public ImageGrid grid(String where, int width, int height) {
          return new ImageGrid(1, height, width);
        }
      };

  /** Joins the parts of a message, with a picture as an image token in brackets. */
  static final ChatTemplate TEMPLATE =
      (where, context) ->
          ((List<?>) context.get("messages"))
              .stream()
                  .map(message -> ((Map<?, ?>) message).get("content"))
                  .map(
                      content ->
                          content instanceof List<?> parts
                              ? parts.stream()
                                  .map(part -> (Map<?, ?>) part)
                                  .map(
                                      part ->
                                          "image".equals(part.get("type"))
                                              ? "(#)"
                                              : String.valueOf(part.get("text")))
                                  .collect(Collectors.joining())
                              : String.valueOf(content))
                  .collect(Collectors.joining("|"));

  final ScriptedGenerator model = new ScriptedGenerator();
  final Utf8Tokenizer tokenizer = new Utf8Tokenizer();
  final Serving serving;
  final OpenAiClient client;

  VisionServerTestBase() {
    serving = serving(seeing(List.of("localhost")), TEMPLATE);
    client = new OpenAiClient(serving.address().getPort(), null);
  }

  /** Returns the limit of three pictures per request, from {@code hosts}. */
  final PictureSettings seeing(List<String> hosts) {
    VisionTokens vision = new VisionTokens('#', '(', ')', Set.of((int) '#'), WIDTHS);
    return new PictureSettings(new PictureTokens(vision, tokenizer), 3, hosts);
  }

  final Serving serving(PictureSettings pictures, ChatTemplate template) {
    return AllDialects.server()
        .start(
            new ServedModel(
                "tiny",
                tokenizer,
                model,
                template,
                List.of(Utf8Tokenizer.END),
                400,
                true,
                pictures),
            new ListenSettings(InetAddress.getLoopbackAddress(), 0, null, 16));
  }

  @AfterEach
  void close() {
    client.close();
    serving.close();
  }

  static Picture picture(int width) {
    return Picture.png(new BufferedImage(width, 1, BufferedImage.TYPE_INT_RGB));
  }

  static String data(Picture picture) {
    return "data:image/png;base64," + Base64.getEncoder().encodeToString(picture.data());
  }

  static String text(String text) {
    JsonObject part = new JsonObject();
    part.addProperty("type", "text");
    part.addProperty("text", text);
    return part.toString();
  }

  static String shown(String url) {
    return "{\"type\":\"image_url\",\"image_url\":{\"url\":\"" + url + "\"}}";
  }

  static String user(String... parts) {
    return "{\"model\":\"tiny\",\"messages\":[{\"role\":\"user\",\"content\":["
        + String.join(",", parts)
        + "]}]}";
  }

  GenerationRequest asked() {
    return model.asked.getLast();
  }

  String prompt() {
    return new Utf8Tokenizer().decode(asked().prompt(), false);
  }

  void refused(String message, String body) {
    refused(client, message, body);
  }

  void refused(OpenAiClient by, String message, String body) {
    int before = model.asked.size();
    HttpResponse<String> answer = by.post(CHAT, body);
    assertEquals(400, answer.statusCode(), answer.body());
    assertEquals(
        message,
        JsonParser.parseString(answer.body())
            .getAsJsonObject()
            .getAsJsonObject("error")
            .get("message")
            .getAsString());
    assertEquals(before, model.asked.size());
  }
}
