package roll.dialect.responses;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.openai.dialect.ServedChatModel;
import roll.openai.request.ApiException;
import roll.openai.request.PromptEncoder;
import roll.runtime.serving.ServedModel;
import roll.testkit.Utf8Tokenizer;

/** Tests the tools that a chat template sees, and the refusals of invalid ones. */
class ResponsesToolsTest {
  private final List<Object> seen = new ArrayList<>();

  private final ServedModel model =
      new ServedModel(
          "m",
          new Utf8Tokenizer("\t", "a tab"),
          requests -> new CompletableFuture<>(),
          (where, context) -> {
            seen.add(String.valueOf(context.get("tools")));
            return "x";
          },
          List.of(Utf8Tokenizer.END),
          40,
          true);

  private void read(String tools) throws InterruptedException {
    String body = "{'model':'m','input':'hi','tools':" + tools + "}";
    var unused =
        new Responses()
            .read(
                "/v1/responses",
                body.replace('\'', '"'),
                new ServedChatModel(model, new PromptEncoder(model)));
  }

  @Test
  void toolsHaveTheFormOfChatTemplates() throws InterruptedException {
    read(
        "[{'type':'function','name':'look','description':'looks','parameters':{'type':'object'}}]");
    assertEquals(
        "[{type=function, function={name=look, description=looks, parameters={type=object}}}]",
        seen.getLast());
    read("[]");
    assertEquals("null", seen.getLast());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | Invalid 'tools': expected a list.",
        "[5] | Invalid 'tools[0]': expected an object.",
        "[{'type':'function','name':'a'},{'type':'function','name':7}] | Invalid 'tools[1].name':"
            + " expected a text.",
        "[{'type':'function','name':'a','parameters':3}] | Invalid 'tools[0].parameters': expected"
            + " an object.",
        "[{'type':'web_search'}] | Invalid 'tools[0].type': this server has tools of the type"
            + " function only, found web_search.",
      })
  void theInvalidPartIsNamed(String tools, String message) {
    ApiException refusal = assertThrows(ApiException.class, () -> read(tools));
    assertEquals(message, refusal.getMessage());
  }
}
