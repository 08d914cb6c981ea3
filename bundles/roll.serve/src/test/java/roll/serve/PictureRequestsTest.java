package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.runtime.serving.PictureSettings;
import roll.runtime.serving.Serving;

/** Pictures in chat completions. */
class PictureRequestsTest extends VisionServerTestBase {
  @Test
  void picturesHaveTheirPlaces() {
    client.ask(CHAT, user(text("a"), shown(data(LARGE)), text("b"), shown(data(SMALL))));
    assertEquals("a(#####)b(##)", prompt());
    assertEquals(List.of(LARGE, SMALL), asked().pictures());
    client.ask(CHAT, user(text("a"), text("b")));
    assertEquals("a\nb", prompt());
    assertEquals(List.of(), asked().pictures());
  }

  @Test
  void everyDialectShowsThem() {
    String small = data(SMALL);
    String encoded = small.substring(small.indexOf(',') + 1);
    client.ask(
        "/v1/messages",
        """
        {"model":"tiny","max_tokens":9,"messages":[{"role":"user","content":[
         {"type":"text","text":"a"},{"type":"image","source":
          {"type":"base64","media_type":"image/png","data":"%s"}}]}]}
        """
            .formatted(encoded));
    assertEquals("a(##)", prompt());
    assertEquals(List.of(SMALL), asked().pictures());
    String responses =
        """
        {"model":"tiny","input":[{"role":"user","content":[
         {"type":"input_text","text":"a"},{"type":"input_image","image_url":"%s"}]}]%s}
        """;
    String id = client.ask("/v1/responses", responses.formatted(small, "")).get("id").getAsString();
    assertEquals("a(##)", prompt());
    String more = ",\"previous_response_id\":\"" + id + "\"";
    client.ask("/v1/responses", responses.formatted(small, more));
    assertEquals(List.of(SMALL, SMALL), asked().pictures());
  }

  @Test
  void everyChoiceSeesThem() {
    client.ask(CHAT, user(shown(data(SMALL))).replace("{\"model\"", "{\"n\":3,\"model\""));
    assertEquals(3, model.asked.size());
    assertTrue(model.asked.stream().allMatch(r -> r.pictures().equals(List.of(SMALL))));
  }

  /** Text completions cannot contain the image token, which is a single character here. */
  @Test
  void textCompletionsShowNone() {
    HttpResponse<String> answer =
        client.post("/v1/completions", "{\"model\":\"tiny\",\"prompt\":[65,35]}");
    assertEquals(400, answer.statusCode());
    assertTrue(answer.body().contains("token 35 is an image token"), answer.body());
  }

  @Test
  void errorsNameTheMessagePart() {
    String place = "Invalid 'messages[0].content[0]";
    refused(
        place + ".image_url.url': the picture: a broken picture.",
        user(shown("data:image/png;base64,AAAA")));
    refused(
        place + ".image_url.url': the picture is not valid Base64.",
        user(shown("data:image/png;base64,A")));
    refused(
        place + ".image_url.url': expected data:image/png;base64, and the picture in Base64.",
        user(shown("data:image/png,x")));
    refused(
        place + ".image_url.url': expected a data URL with a picture in Base64.",
        user(shown("file:///etc/hostname")));
    refused(place + ".image_url.url': expected a URL.", user(shown("http://not a url")));
    refused(
        place + ".image_url': expected an object with a url.", user("{\"type\":\"image_url\"}"));
    refused(
        place + "': this server reads parts of type text and image_url only.",
        user("{\"type\":\"input_audio\"}"));
    String[] many = new String[500];
    Arrays.setAll(many, i -> shown(data(SMALL)));
    refused(
        "Invalid 'messages[0].content[3]': at most 3 pictures are allowed in a request.",
        user(many));
    refused(
        "Invalid 'messages[0].content': the assistant shows no pictures.",
        user(shown(data(SMALL))).replace("\"user\"", "\"assistant\""));
  }

  @Test
  void aTemplateWithoutPlacesAndAModelThatCannotSeeAreSaid() {
    try (Serving other = serving(seeing(List.of()), (where, context) -> "x");
        OpenAiClient asking = new OpenAiClient(other.address().getPort(), null)) {
      refused(
          asking,
          "Invalid 'messages': the chat template has no place for pictures (1 of them).",
          user(shown(data(SMALL))));
    }
    try (Serving other = serving(PictureSettings.NONE, TEMPLATE);
        OpenAiClient asking = new OpenAiClient(other.address().getPort(), null)) {
      refused(
          asking,
          "Invalid 'messages[0].content[0]': this model cannot see, it reads parts of type text"
              + " only.",
          user(shown(data(SMALL))));
    }
  }

  @Test
  void aPromptThatPicturesFillIsTooLong() {
    String[] parts =
        IntStream.range(0, 3).mapToObj(i -> text("x".repeat(140))).toArray(String[]::new);
    parts[0] = shown(data(LARGE));
    parts[1] = text("x".repeat(392));
    HttpResponse<String> answer = client.post(CHAT, user(parts));
    assertEquals(400, answer.statusCode());
    assertTrue(answer.body().contains("context_length_exceeded"), answer.body());
  }
}
