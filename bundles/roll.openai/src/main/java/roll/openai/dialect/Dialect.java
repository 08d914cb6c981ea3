package roll.openai.dialect;

import com.google.gson.JsonObject;
import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.openai.answer.Answer;
import roll.openai.request.ApiException;

/**
 * A form of conversations over HTTP, such as OpenAI's chat completions: a service that translates
 * requests and answers, and knows neither the model nor who asks it.
 */
@ConsumerType
public interface Dialect {
  /** Returns the paths of its requests, all with the method POST. */
  List<String> paths();

  /**
   * Reads a request to {@code path} and asks {@code model}; the answer is sent later.
   *
   * @param body JSON of a client
   * @throws ApiException if the request is refused
   */
  Answer read(String path, String body, ChatModel model) throws InterruptedException;

  /** Returns the body of a refused request. */
  JsonObject error(ApiException refusal);
}
