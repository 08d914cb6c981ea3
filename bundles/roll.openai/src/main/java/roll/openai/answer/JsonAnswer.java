package roll.openai.answer;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import roll.http.Exchange;

/**
 * An answer that is known at once.
 *
 * @param status the HTTP status
 */
public record JsonAnswer(int status, JsonObject json) implements Answer {
  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  /** Returns {@code json} as text with a line break at its end. */
  public static String text(JsonObject json) {
    return GSON.toJson(json) + "\n";
  }

  @Override
  public void send(Exchange exchange) throws IOException {
    exchange.send(status, "application/json", text(json).getBytes(StandardCharsets.UTF_8));
  }
}
