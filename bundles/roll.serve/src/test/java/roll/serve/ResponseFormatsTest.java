package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.strategy.Sampling;
import roll.api.strategy.StructuredOutput;

/** The formats of responses in each dialect, as the engine is asked for them. */
class ResponseFormatsTest extends ServerTestBase {
  private static final String MESSAGES = "/v1/messages";
  private static final String RESPONSES = "/v1/responses";

  private static String body(String path, String more) {
    String said =
        path.equals(RESPONSES)
            ? "\"input\":\"hi\""
            : "\"max_tokens\":99,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]";
    return "{\"model\":\"tiny\"," + said + more.replace('\'', '"') + "}";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        CHAT
            + " | 'response_format':{'type':'json_schema','json_schema':{'name':'n','strict':true,"
            + "'schema':{'type':'null'}}} | {'type':'null'}",
        CHAT + " | 'response_format':{'type':'json_object'} | {'type':'object'}",
        CHAT + " | 'structured_outputs':{'json':{'type':'null'}} | {'type':'null'}",
        CHAT + " | 'structured_outputs':{'json_object':true} | {'type':'object'}",
        RESPONSES
            + " | 'text':{'format':{'type':'json_schema','name':'n','schema':{'type':'null'}}} |"
            + " {'type':'null'}",
        RESPONSES + " | 'text':{'format':{'type':'json_object'}} | {'type':'object'}",
        MESSAGES
            + " | 'output_config':{'format':{'type':'json_schema','schema':{'type':'null'}}} |"
            + " {'type':'null'}",
      })
  void schemasReachTheEngine(String path, String format, String schema) {
    model.text = "null";
    var unused = client().ask(path, body(path, "," + format));
    assertEquals(
        new StructuredOutput.Json(schema.replace('\'', '"')),
        model.asked.getLast().sampling().structuredOutput());
  }

  @ParameterizedTest
  @ValueSource(strings = {CHAT, TEXT})
  void expressionsAndChoicesReachTheEngine(String path) {
    String said = path.equals(TEXT) ? ",'prompt':'hi','max_tokens':9" : ",'max_tokens':9";
    String body = path.equals(TEXT) ? "{\"model\":\"tiny\"%s}" : body("%s");
    model.text = "b";
    for (String format : List.of("'regex':'[ab]'", "'choice':['a','b']")) {
      String more = said + ",'structured_outputs':{" + format + "}";
      var unused = client().ask(path, body.formatted(more.replace('\'', '"')));
    }
    Sampling plain = Sampling.of(9);
    assertEquals(
        List.of(
            plain.withStructuredOutput(new StructuredOutput.Regex("[ab]")),
            plain.withChoices(List.of("a", "b"))),
        model.asked.stream().map(request -> request.sampling()).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'response_format':{'type':'json_object'},'structured_outputs':{'regex':'a'} | allowed is"
            + " one of response formats",
        "'response_format':{'type':'json_object'},'allowed_token_ids':[3] | allowed is one of"
            + " response formats",
        "'response_format':{'type':'json_object'},'tool_choice':'required','tools':[{'type':"
            + "'function','function':{'name':'f'}}] | a call cannot be forced",
        "'response_format':{'type':'json_schema','json_schema':{'name':'n'}} | expected a schema",
      })
  void whatExcludesEachOtherIsRefused(String more, String problem) {
    HttpResponse<String> refused = client().post(CHAT, body("," + more.replace('\'', '"')));
    assertEquals(400, refused.statusCode());
    assertTrue(refused.body().contains(problem), refused.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {CHAT, RESPONSES, MESSAGES})
  void aThoughtHasNoFormat(String path) {
    template = (where, context) -> "<think>\n";
    String format =
        switch (path) {
          case CHAT -> ",'response_format':{'type':'json_object'}";
          case RESPONSES -> ",'text':{'format':{'type':'json_object'}}";
          default -> ",'output_config':{'format':{'type':'json_object'}}";
        };
    HttpResponse<String> refused = client().post(path, body(path, format));
    assertEquals(400, refused.statusCode());
    assertTrue(refused.body().contains("turn thinking off"), refused.body());
  }
}
