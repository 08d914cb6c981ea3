package roll.openai.answer;

import com.google.gson.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.openai.request.ApiException;

/** The form of the answer to one request. The methods are called on one thread. */
@ConsumerType
public interface ResponseFormat {
  /** Returns whether thoughts are separated from the text; otherwise it has them in their tags. */
  boolean thoughts();

  /** Returns the events that a stream begins with, possibly none. */
  List<StreamEvent> opening(int choices, int promptTokens);

  /**
   * Returns the streamed events with {@code piece}.
   *
   * @param logProbs log-probs of the tokens in it, or null
   */
  List<StreamEvent> chunk(int choice, Delta piece, @Nullable List<ScoredToken> logProbs);

  /**
   * Returns the events that end a choice.
   *
   * @param logProbs log-probs of tokens that were not sent before, or null
   */
  List<StreamEvent> end(int choice, Ending ending, @Nullable List<ScoredToken> logProbs);

  /** Returns the events that end a stream. */
  List<StreamEvent> closing(TokenUsage usage);

  /** Returns the events that end a stream that fails. */
  List<StreamEvent> failed(ApiException failure);

  /** Returns what keeps the connection of a stream without output alive. */
  default String filler() {
    return ":\n\n";
  }

  /** Returns the complete answer. */
  JsonObject whole(List<Choice> choices, TokenUsage usage);
}
