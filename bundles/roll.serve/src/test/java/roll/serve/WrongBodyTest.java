package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.runtime.serving.ListenSettings;
import roll.runtime.serving.ServedModel;
import roll.runtime.serving.Serving;
import roll.testkit.Utf8Tokenizer;

/** Bodies that are not a request are refused in one line with this server's words. */
@Timeout(60)
class WrongBodyTest {
  private final Serving serving =
      new HttpModelServer()
          .start(
              new ServedModel(
                  "tiny",
                  new Utf8Tokenizer(),
                  new ScriptedGenerator(),
                  (where, context) -> ">",
                  List.of(Utf8Tokenizer.END),
                  400,
                  true),
              new ListenSettings(InetAddress.getLoopbackAddress(), 0, null, 4));
  private final OpenAiClient client = new OpenAiClient(serving.address().getPort(), null);

  @AfterEach
  void close() {
    client.close();
    serving.close();
  }

  private String refused(int status, String body) {
    HttpResponse<String> response = client.post("/v1/chat/completions", body);
    assertEquals(status, response.statusCode());
    JsonObject json = JsonParser.parseString(response.body()).getAsJsonObject();
    return json.getAsJsonObject("error").get("message").getAsString();
  }

  @Test
  void invalidJsonIsReportedWithItsPosition() {
    assertEquals(
        "The body of the request is not valid JSON at line 1 column 3.", refused(400, "{model"));
    assertEquals("The body of a request must be a JSON object.", refused(400, "[1]"));
  }

  @Test
  void largeBodiesAreRefusedWithTheLimit() {
    assertEquals(
        "The body of a request may have at most 16777216 bytes.",
        refused(413, "a".repeat((16 << 20) + 1)));
  }
}
