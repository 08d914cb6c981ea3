package roll.agent.openai;

import com.google.gson.JsonObject;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.UserException;
import roll.api.http.PatientClient;
import roll.api.http.PostFailure;

/** Where a model answers. A failure is a complaint of one line, never with the key. */
final class Endpoint implements AutoCloseable {
  private final URI address;
  private final @Nullable String key;
  private final PatientClient client;

  /**
   * The endpoint at {@code address}.
   *
   * @param key sent as a bearer token, or null
   */
  Endpoint(URI address, @Nullable String key, PatientClient.Limits limits) {
    this.address = address;
    this.key = key;
    this.client = new PatientClient(limits);
  }

  /**
   * The text that the model answers.
   *
   * @throws UserException if there is none
   */
  String ask(JsonObject body) throws InterruptedException {
    Map<String, String> headers = key == null ? Map.of() : Map.of("Authorization", "Bearer " + key);
    try {
      return Answer.content(client.post(address, headers, body.toString()));
    } catch (PostFailure e) {
      String line = address + " " + e.told(hidden(Answer.problem(e.body())));
      throw new UserException("the agent openai: " + hidden(line));
    }
  }

  private String hidden(String text) {
    return key == null ? text : text.replace(key, "…");
  }

  @Override
  public void close() {
    client.close();
  }
}
