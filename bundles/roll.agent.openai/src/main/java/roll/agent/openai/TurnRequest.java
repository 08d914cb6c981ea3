package roll.agent.openai;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import roll.api.rollout.AgentTurn;
import roll.api.strategy.Sampling;
import roll.api.tool.ToolSchema;

/** A turn as the body of a request. */
final class TurnRequest {
  private static final Gson GSON = new Gson();

  private TurnRequest() {}

  /**
   * The conversation, and of the sampling what the protocol knows: temperature, nucleus, length,
   * stop strings and seed. What is seen as a picture goes with the newest message, as a PNG.
   *
   * @param tools those that the messages do not tell of; may be empty
   */
  static JsonObject of(String model, AgentTurn turn, List<ToolSchema> tools) {
    JsonObject body = new JsonObject();
    body.addProperty("model", model);
    body.add("messages", messages(turn, !tools.isEmpty()));
    if (!tools.isEmpty()) {
      body.add("tools", GSON.toJsonTree(tools.stream().map(ToolSchema::listed).toList()));
    }
    Sampling sampling = turn.sampling();
    body.addProperty("temperature", sampling.temperature());
    body.addProperty("top_p", sampling.topP());
    body.addProperty("max_tokens", sampling.maxNewTokens());
    if (!sampling.stopStrings().isEmpty()) {
      JsonArray stops = new JsonArray();
      sampling.stopStrings().forEach(stops::add);
      body.add("stop", stops);
    }
    body.addProperty("seed", turn.seed() >>> 33);
    return body;
  }

  private static JsonArray messages(AgentTurn turn, boolean toolsAreSent) {
    Optional<BufferedImage> picture = turn.view().picture();
    // a picture goes with a message of the user, which the result of a tool is only as text
    JsonArray messages =
        toolsAreSent && picture.isEmpty()
            ? History.withCalls(turn.messages())
            : History.asText(turn.messages());
    picture.ifPresent(seen -> show(messages.get(messages.size() - 1).getAsJsonObject(), seen));
    return messages;
  }

  /** Makes the text of {@code message} a part beside the picture. */
  private static void show(JsonObject message, BufferedImage picture) {
    JsonObject text = new JsonObject();
    text.addProperty("type", "text");
    text.add("text", message.get("content"));
    JsonObject place = new JsonObject();
    place.addProperty("url", "data:image/png;base64," + png(picture));
    JsonObject image = new JsonObject();
    image.addProperty("type", "image_url");
    image.add("image_url", place);
    JsonArray parts = new JsonArray();
    parts.add(text);
    parts.add(image);
    message.add("content", parts);
  }

  private static String png(BufferedImage picture) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(picture, "png", bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }
}
