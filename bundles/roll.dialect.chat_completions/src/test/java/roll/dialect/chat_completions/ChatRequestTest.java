package roll.dialect.chat_completions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.File;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.model.ChatTemplate;
import roll.api.option.UserException;
import roll.openai.dialect.ServedChatModel;
import roll.openai.request.ApiException;
import roll.openai.request.PromptEncoder;
import roll.runtime.serving.ServedModel;
import roll.testkit.Utf8Tokenizer;

/** Requests, and the refusals of invalid ones. */
class ChatRequestTest {
  private final Utf8Tokenizer tokenizer = new Utf8Tokenizer("\t", "a tab");

  private ServedModel model(@Nullable ChatTemplate template) {
    return new ServedModel(
        "m",
        tokenizer,
        requests -> new CompletableFuture<>(),
        template,
        List.of(Utf8Tokenizer.END),
        40,
        true);
  }

  private final ServedModel model = model((where, context) -> "" + context.get("messages"));

  private Object chat(ServedModel asked, String more) throws InterruptedException {
    String body = "'model':'m','messages':[{'role':'user','content':'hi'}]" + more;
    return read(asked, body);
  }

  private static Object read(ServedModel asked, String body) throws InterruptedException {
    return new ChatCompletions()
        .read(
            "/v1/chat/completions",
            "{" + body.replace('\'', '"') + "}",
            new ServedChatModel(asked, new PromptEncoder(asked)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'temperature':'1' | temperature | Invalid value for 'temperature': expected a number,"
            + " found \"1\".",
        "'max_tokens':0 | max_tokens | Invalid value for 'max_tokens': expected an integer from"
            + " 1 to 2147483647, found 0.",
        "'n':129 | n | Invalid value for 'n': expected an integer from 1 to 128, found 129.",
        "'seed':9223372036854775808 | seed | Invalid value for 'seed': expected an integer,"
            + " found 9223372036854775808.",
        "'stream':'true' | stream | Invalid value for 'stream': expected true or false, found"
            + " \"true\".",
        "'stream_options':{} | stream_options | The 'stream_options' parameter is only allowed when"
            + " 'stream' is true.",
        "'stop_token_ids':[257] | stop_token_ids | Invalid value for 'stop_token_ids': expected a"
            + " list of token ids from 0 to 256, found [257].",
        "'store':true | store | Unsupported value for 'store': found true, allowed: false.",
        "'temprature':1 | temprature | Unknown parameter: 'temprature'; did you mean"
            + " 'temperature'?.",
      })
  void whatIsWrongIsNamedWithWhatIsAllowed(String more, String parameter, String message) {
    refused(parameter, message, () -> chat(model, "," + more));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'messages':[] | messages | Invalid value for 'messages': expected a list of at least one"
            + " message, found [].",
        "'messages':[{'role':'king','content':''}] | messages[0].role | Invalid 'messages[0].role':"
            + " expected system, developer, user, assistant or tool, found king.",
        "'messages':[{'role':'user'}] | messages[0].content | Invalid 'messages[0].content':"
            + " expected a text or a list of parts, found nothing.",
        "'messages':[{'role':'tool','tool_call_id':'x','content':''}] | messages[0] | Invalid"
            + " 'messages[0]': a message of a tool must follow the call with its tool_call_id.",
        "'messages':[{'role':'user','content':[{'type':'image_url'}]}] | messages[0].content[0] |"
            + " Invalid 'messages[0].content[0]': this model cannot see, it reads parts of type"
            + " text only.",
      })
  void messagesAreNamedByTheirPlace(String body, String parameter, String message) {
    refused(parameter, message, () -> read(model, "'model':'m'," + body));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        ",'tools':[{}] | tools | Invalid value for 'tools[0]': expected"
            + " {\"type\":\"function\",\"function\":{\"name\":…}}.",
        ",'tool_choice':'required' | tool_choice | Invalid 'tool_choice': a call is required, and"
            + " the request has no tools.",
        ",'chat_template_kwargs':[] | chat_template_kwargs | Invalid value for"
            + " 'chat_template_kwargs': expected an object, found [].",
      })
  void toolsAndVariablesAreChecked(String more, String parameter, String message) {
    refused(parameter, message, () -> chat(model, more));
  }

  /** An error of the chat template is reported without the folder of the model. */
  @Test
  void errorsOfTemplatesHideTheFolder() {
    ChatTemplate refusing =
        (where, context) -> {
          throw new UserException("models/utf8" + File.separator + "chat.jinja: roles alternate");
        };
    refused("messages", "chat.jinja: roles alternate", () -> chat(model(refusing), ""));
    refused(
        "",
        "This model has no chat template; /v1/completions continues texts.",
        () -> chat(model(null), ""));
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
