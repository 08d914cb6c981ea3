package roll.openai.dialect;

import com.google.gson.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

  /**
   * Answers a request without a body for an object in the folder of one of the paths, such as a
   * stored response.
   *
   * @param query the part of the address behind the question mark, or null
   * @throws ApiException if there is no such object, which is the default
   */
  default Answer stored(String method, String path, @Nullable String query, ChatModel model) {
    throw ApiException.unknownPath(path);
  }

  /** Returns the body of a refused request. */
  JsonObject error(ApiException refusal);
}
