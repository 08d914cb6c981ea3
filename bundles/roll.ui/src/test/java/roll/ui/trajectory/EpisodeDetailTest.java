package roll.ui.trajectory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import roll.api.option.UserException;

class EpisodeDetailTest {
  private static JsonObject sequence(JsonObject episode) {
    return episode.getAsJsonArray("sequences").get(0).getAsJsonObject();
  }

  @Test
  void turnsHaveWhatWasSeenSaidAndAnswered() {
    JsonObject episode = EpisodeDetail.of(EpisodeLines.line(3, 0.5, 1, -1, 0.25));
    assertEquals("Play.", episode.get("system").getAsString());
    assertEquals(
        JsonParser.parseString(
            """
            [{"turn":0,"observation":"Room 3","pictures":[],"response":"look","reward":0.0,
              "tools":[{"name":"eyes","content":"a Key"}]},
             {"turn":1,"observation":"","pictures":[],"response":"take key 3","reward":0.5,
              "tools":[]}]
            """),
        episode.get("turns"));
    assertEquals("Game_3_0_6_0", episode.get("id").getAsString(), "the line is there");
  }

  @Test
  void ratiosAreThoseOfWrittenTokens() {
    JsonObject tokens = sequence(EpisodeDetail.of(EpisodeLines.line(3, 0.5, 1, -1, 0.25)));
    assertTrue(tokens.getAsJsonArray("ratios").get(0).isJsonNull());
    assertEquals(2, tokens.getAsJsonArray("ratios").get(1).getAsDouble(), 1e-12);
    assertEquals(0.25, tokens.getAsJsonArray("advantages").get(1).getAsDouble());
    assertFalse(
        sequence(EpisodeDetail.of(EpisodeLines.line(3, 0.5, 1, -1, Double.NaN))).has("ratios"));
  }

  @Test
  void whatIsNotFiniteIsNull() {
    String line =
        EpisodeLines.line(3, 0.5, 1, -1.5, 0.25)
            .replace("\"log_probs\":[0.0,-1.5", "\"log_probs\":[0.0,\"NaN\"")
            .replace("\"rewards\":[0.0", "\"rewards\":[\"-Infinity\"");
    JsonObject episode = EpisodeDetail.of(line);
    assertTrue(sequence(episode).getAsJsonArray("log_probs").get(1).isJsonNull());
    assertTrue(sequence(episode).getAsJsonArray("ratios").get(1).isJsonNull());
    assertTrue(episode.getAsJsonArray("rewards").get(0).isJsonNull());
  }

  @Test
  void theTraceOfAnEpisodeIsNoSecret() {
    String id = "4bf92f3577b34da6a3ce929d0e0e4736";
    String link = "http://localhost:16686/trace/" + id;
    String trace = "{\"trace_id\":\"" + id + "\",\"trace_link\":\"" + link + "\",";
    String line = EpisodeLines.line(3, 0.5, 1, -1, 0.25).replaceFirst("^\\{", trace);
    JsonObject episode = EpisodeDetail.of(line);
    assertEquals(id, episode.get("trace_id").getAsString());
    assertEquals(link, episode.get("trace_link").getAsString());
  }

  @Test
  void picturesAreNamedByDigestAlone() {
    String digest = "ab".repeat(32);
    String shown =
        "\"pictures\":[{\"at\":0,\"file\":\"pictures/%s.png\"},{\"at\":0,\"file\":\"../../x.png\"}],"
            .formatted(digest);
    String line =
        "{\"messages\":[{\"role\":\"user\","
            + shown
            + "\"content\":\"a\"},{\"role\":\"assistant\",\"content\":\"b\"}]}";
    assertEquals(
        "[\"" + digest + ".png\"]",
        EpisodeDetail.of(line)
            .getAsJsonArray("turns")
            .get(0)
            .getAsJsonObject()
            .get("pictures")
            .toString());
  }

  @Test
  void oddLinesAreRefusedOrShownAsTheyStand() {
    assertThrows(UserException.class, () -> EpisodeDetail.of("[1"));
    assertThrows(UserException.class, () -> EpisodeDetail.of("[]"));
    assertThrows(UserException.class, () -> EpisodeDetail.of(""));
    JsonObject odd = EpisodeDetail.of("{\"messages\":[7,{}],\"sequences\":[null,{\"turns\":3}]}");
    assertEquals(0, odd.getAsJsonArray("turns").size());
  }

  @Test
  void secretsAreHiddenInTextsAndInTheTokensThatSayThem() {
    String line =
        """
        {"messages":[{"role":"user","content":"GET http://h/?api_key=abc"},
          {"role":"assistant","content":"{\\"Authorization\\": \\"Bearer abc\\"}"}],
         "rewards":[0],"facts":{"api_key":"abc","b":["password=abc"]},
         "sequences":[{"turns":[0,0,0,0,0],"texts":["api_","key=","ab","c d","e"]}]}
        """;
    JsonObject episode = EpisodeDetail.of(line);
    assertFalse(episode.toString().contains("abc"), episode::toString);
    assertEquals(
        "[\"api_\",\"key=\",\"…\",\"…\",\"e\"]", sequence(episode).get("texts").toString());
    assertEquals(
        "GET http://h/?api_key=…",
        episode.getAsJsonArray("turns").get(0).getAsJsonObject().get("observation").getAsString());
    assertEquals("{\"api_key\":\"…\",\"b\":[\"password=…\"]}", episode.get("facts").toString());
  }
}
