package roll.openai.answer;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formats {@code text_completion} objects, of which streams consist too. */
public final class TextResponseFormat implements ResponseFormat {
  private static final String OBJECT = "text_completion";

  private final ResponseHeader head;
  private final boolean usage;

  /**
   * Creates the formatter of the {@code text_completion} objects for one request.
   *
   * @param usage whether a stream ends with the token usage
   */
  public TextResponseFormat(String model, boolean usage) {
    this.head = ResponseHeader.of("cmpl-", model);
    this.usage = usage;
  }

  @Override
  public List<JsonObject> opening(int choices) {
    return List.of();
  }

  @Override
  public JsonObject chunk(int choice, Delta piece, @Nullable JsonObject logProbs) {
    return part(entry(choice, text(piece), null, logProbs));
  }

  @Override
  public JsonObject end(int choice, String reason, @Nullable JsonObject logProbs) {
    return part(entry(choice, "", reason, logProbs));
  }

  private JsonObject part(JsonObject entry) {
    JsonArray choices = new JsonArray();
    choices.add(entry);
    return head.chunk(OBJECT, choices, usage ? JsonNull.INSTANCE : null);
  }

  @Override
  public JsonObject used(JsonObject used) {
    return head.chunk(OBJECT, new JsonArray(), used);
  }

  @Override
  public JsonObject choice(
      int choice, List<Delta> pieces, String reason, @Nullable JsonObject logProbs) {
    String text = pieces.stream().map(TextResponseFormat::text).collect(Collectors.joining());
    return entry(choice, text, reason, logProbs);
  }

  private static JsonObject entry(
      int choice, String text, @Nullable String reason, @Nullable JsonObject logProbs) {
    JsonObject entry = new JsonObject();
    entry.addProperty("index", choice);
    entry.addProperty("text", text);
    entry.add("logprobs", logProbs);
    entry.addProperty("finish_reason", reason);
    return entry;
  }

  /** Returns the text of {@code piece}; text completions have no tool calls. */
  private static String text(Delta piece) {
    return piece instanceof Delta.Text text ? text.text() : "";
  }

  @Override
  public JsonObject logProbs(List<ScoredToken> tokens) {
    JsonArray texts = new JsonArray();
    JsonArray values = new JsonArray();
    JsonArray offsets = new JsonArray();
    for (ScoredToken token : tokens) {
      texts.add(token.text());
      values.add(token.logProb());
      offsets.add(token.offset());
    }
    JsonObject json = new JsonObject();
    json.add("tokens", texts);
    json.add("token_logprobs", values);
    json.add("top_logprobs", JsonNull.INSTANCE);
    json.add("text_offset", offsets);
    return json;
  }

  @Override
  public JsonObject whole(JsonArray choices, JsonObject used) {
    return head.chunk(OBJECT, choices, used);
  }
}
