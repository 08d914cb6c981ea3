package roll.openai.answer;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.strategy.Generation;

/** The JSON format of the answers to one request. */
@ProviderType
public interface ResponseFormat {
  /** Returns the chunks that a stream begins with, possibly none. */
  List<JsonObject> opening(int choices);

  /**
   * Returns the streamed chunk with {@code piece}.
   *
   * @param logProbs log-probs of the tokens in it, or null
   */
  JsonObject chunk(int choice, Delta piece, @Nullable JsonObject logProbs);

  /**
   * Returns the chunk that ends a choice.
   *
   * @param logProbs log-probs of tokens that were not sent before, or null
   */
  JsonObject end(int choice, String reason, @Nullable JsonObject logProbs);

  /** Returns the chunk with the token usage, which has no choices. */
  JsonObject used(JsonObject usage);

  /**
   * Returns the JSON of a complete choice.
   *
   * @param logProbs log-probs of its tokens, or null
   */
  JsonObject choice(int choice, List<Delta> pieces, String reason, @Nullable JsonObject logProbs);

  /** Returns the JSON of the log-probs of {@code tokens}. */
  JsonObject logProbs(List<ScoredToken> tokens);

  /** Returns the complete answer with all choices. */
  JsonObject whole(JsonArray choices, JsonObject usage);

  /** Returns the token usage: {@code prompt_tokens}, {@code completion_tokens} and their sum. */
  static JsonObject usage(int prompt, List<Generation> responses) {
    int written = responses.stream().mapToInt(response -> response.tokens().length).sum();
    JsonObject usage = new JsonObject();
    usage.addProperty("prompt_tokens", prompt);
    usage.addProperty("completion_tokens", written);
    usage.addProperty("total_tokens", prompt + written);
    return usage;
  }
}
