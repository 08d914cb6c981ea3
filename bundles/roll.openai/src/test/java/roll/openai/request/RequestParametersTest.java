package roll.openai.request;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.runtime.serving.ServedModel;
import roll.testkit.Utf8Tokenizer;

/** Parameters of requests, and the refusals of invalid ones. */
class RequestParametersTest {
  private final Utf8Tokenizer tokenizer = new Utf8Tokenizer("\t", "a tab");

  private final ServedModel model =
      new ServedModel(
          "m",
          tokenizer,
          requests -> new CompletableFuture<>(),
          null,
          List.of(Utf8Tokenizer.END),
          40,
          true);

  private GenerationSpec text(String more) throws InterruptedException {
    RequestFields fields = CompletionRequest.fields("{" + more.replace('\'', '"') + "}");
    var unused = SamplingParams.usage(fields);
    return CompletionRequest.read(fields, model, new PromptEncoder(model));
  }

  @Test
  void whatIsLeftOutHasItsDefault() throws Exception {
    GenerationSpec asked = text("'prompt':'abc','temperature':null");
    assertEquals(1, asked.sampling().temperature());
    assertEquals(16, asked.sampling().maxNewTokens());
    assertEquals(1, asked.choices());
    assertEquals(List.of(Utf8Tokenizer.END), asked.stops());
    assertFalse(asked.stream());
    assertArrayEquals(new int[] {'a', 'b', 'c'}, asked.prompts().getFirst());
  }

  @Test
  void parametersAreParsed() throws Exception {
    GenerationSpec asked =
        text(
            "'prompt':[[1,2.0],'b'],'max_tokens':3e0,'temperature':0.5,'top_p':0.25,'top_k':-1,"
                + "'n':2,'seed':-7,'stop':['x','y'],'stop_token_ids':[9,9],'stream':true,"
                + "'stream_options':{'include_usage':true}");
    assertEquals(2, asked.prompts().size());
    assertArrayEquals(new int[] {1, 2}, asked.prompts().getFirst());
    assertEquals(3, asked.sampling().maxNewTokens());
    assertEquals(0.5, asked.sampling().temperature());
    assertEquals(0.25, asked.sampling().topP());
    assertEquals(0, asked.sampling().topK());
    assertEquals(List.of("x", "y"), asked.sampling().stopStrings());
    assertEquals(List.of(Utf8Tokenizer.END, 9), asked.stops());
    assertEquals(-7, asked.seed());
    assertTrue(asked.stream());
    assertEquals(4, asked.requests().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'temperature':'1' | temperature | Invalid value for 'temperature': expected a number,"
            + " found \"1\".",
        "'top_p':0 | top_p | Invalid value for top_p: found 0.0, allowed is above 0 and at most"
            + " 1.",
        "'max_tokens':0 | max_tokens | Invalid value for 'max_tokens': expected an integer from"
            + " 1 to 2147483647, found 0.",
        "'max_tokens':1.5 | max_tokens | Invalid value for 'max_tokens': expected an integer"
            + " from 1 to 2147483647, found 1.5.",
        "'n':129 | n | Invalid value for 'n': expected an integer from 1 to 128, found 129.",
        "'seed':9223372036854775808 | seed | Invalid value for 'seed': expected an integer,"
            + " found 9223372036854775808.",
        "'stream':'true' | stream | Invalid value for 'stream': expected true or false, found"
            + " \"true\".",
        "'stream_options':{} | stream_options | The 'stream_options' parameter is only allowed when"
            + " 'stream' is true.",
        "'stop':[''] | stop | Invalid value for 'stop': expected a text or a list of texts, found"
            + " [\"\"].",
        "'stop_token_ids':[257] | stop_token_ids | Invalid value for 'stop_token_ids': expected a"
            + " list of token ids from 0 to 256, found [257].",
        "'stop_token_ids':['5'] | stop_token_ids | Invalid value for 'stop_token_ids': expected a"
            + " list of token ids from 0 to 256, found [\"5\"].",
        "'logit_bias':{'300':1} | logit_bias | Invalid value for 'logit_bias': expected an object"
            + " of token ids from 0 to 256 with numbers, found {\"300\":1}.",
        "'logit_bias':{'5':101} | logit_bias.5 | Invalid value for logit_bias.5: found 101.0,"
            + " allowed is from -100 to 100.",
        "'allowed_token_ids':[] | allowed_token_ids | Invalid value for 'allowed_token_ids':"
            + " expected at least one token id, found [].",
        "'temprature':1 | temprature | Unknown parameter: 'temprature'; did you mean"
            + " 'temperature'?.",
      })
  void whatIsWrongIsNamedWithWhatIsAllowed(String more, String parameter, String message) {
    refused(parameter, message, () -> text("'prompt':'abc'," + more));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'prompt':'' | The prompt is empty; it needs at least one token.",
        "'prompt':[] | Invalid value for 'prompt': expected from 1 to 128 texts or lists of token"
            + " ids, found [].",
        "'prompt':[257] | Invalid value for 'prompt': expected token ids from 0 to 256, found 257.",
        "'prompt':[[1],true] | Invalid value for 'prompt': expected a text, token ids, or a list of"
            + " these, found [[1],true].",
        "'prompt':'a\\tb' | Invalid 'prompt': the tokenizer refuses a tab.",
        "'prompt':null | Invalid value for 'prompt': expected a text, token ids, or a list of"
            + " these, found nothing.",
      })
  void promptsAreTextsOrTokens(String prompt, String message) {
    refused("prompt", message, () -> text(prompt));
  }

  @Test
  void aPromptThatLeavesNoRoomIsTooLong() {
    refused(
        "prompt",
        "This model's maximum context length is 40 tokens. However, your prompt resulted in 40"
            + " tokens.",
        () -> text("'prompt':'" + "a".repeat(40) + "'"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':1,'a':2} | The body of the request has the name 'a' twice at line 1 column 11.",
        "{'n':1e999} | The body of the request has a number that is too large at line 1 column 11.",
        "{'user':'\\ud800'} | The body of the request has half a character at line 1 column 17.",
        "[1] | The body of a request must be a JSON object.",
        "{} x | The body of the request is not valid JSON at line 1 column 5.",
      })
  void bodiesAreJson(String body, String message) {
    refused("", message, () -> CompletionRequest.fields(body.replace('\'', '"')));
  }

  @Test
  void bodiesAreBounded() {
    String deep = "{\"prompt\":" + "[".repeat(70) + "]".repeat(70) + "}";
    refused(
        "",
        "The body of the request is nested too deeply at line 1 column 75.",
        () -> CompletionRequest.fields(deep));
    String many = "{\"prompt\":[" + "1,".repeat(1 << 20) + "1]}";
    refused(
        "",
        "The body of the request has more than 1048576 values at line 1 column 2097161.",
        () -> CompletionRequest.fields(many));
  }

  private interface Asking {
    Object ask() throws InterruptedException;
  }

  private static void refused(String parameter, String message, Asking asking) {
    ApiException refusal = assertThrows(ApiException.class, asking::ask);
    assertEquals(message, refusal.getMessage());
    assertEquals(400, refusal.status());
    var error = refusal.json().getAsJsonObject("error");
    assertEquals(
        parameter, error.get("param").isJsonNull() ? "" : error.get("param").getAsString());
    assertEquals("invalid_request_error", error.get("type").getAsString());
  }
}
