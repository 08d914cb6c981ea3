package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Bodies that are not a request are refused in one line with this server's words. */
class WrongBodyTest extends ServerTestBase {
  private String refused(int status, String body) {
    HttpResponse<String> response = client().post(CHAT, body);
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
