package roll.openai.answer;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.strategy.Generation;

/** How answers to one request look in JSON. */
@ProviderType
public interface ResponseFormat {
  /** The parts that a stream begins with; may be none. */
  List<JsonObject> opening(int choices);

  /**
   * A part of the stream that says {@code piece}.
   *
   * @param logProbs of tokens told with it, or null
   */
  JsonObject chunk(int choice, Delta piece, @Nullable JsonObject logProbs);

  /**
   * The part of the stream that ends a choice.
   *
   * @param logProbs of tokens that were not told before, or null
   */
  JsonObject end(int choice, String reason, @Nullable JsonObject logProbs);

  /** The part of the stream that says what was used; it has no choices. */
  JsonObject used(JsonObject usage);

  /**
   * A whole answer.
   *
   * @param logProbs of the tokens, or null
   */
  JsonObject choice(int choice, List<Delta> pieces, String reason, @Nullable JsonObject logProbs);

  /** The log-probs of {@code tokens}. */
  JsonObject logProbs(List<ScoredToken> tokens);

  /** All choices. */
  JsonObject whole(JsonArray choices, JsonObject usage);

  /** What was used. */
  static JsonObject usage(int prompt, List<Generation> responses) {
    int written = responses.stream().mapToInt(response -> response.tokens().length).sum();
    JsonObject usage = new JsonObject();
    usage.addProperty("prompt_tokens", prompt);
    usage.addProperty("completion_tokens", written);
    usage.addProperty("total_tokens", prompt + written);
    return usage;
  }
}
