package roll.dialect.messages;

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
class MessagesToolsTest {
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
    String body =
        "{'model':'m','max_tokens':4,'messages':[{'role':'user','content':'hi'}],'tools':"
            + tools
            + "}";
    var unused =
        new Messages()
            .read(
                "/v1/messages",
                body.replace('\'', '"'),
                new ServedChatModel(model, new PromptEncoder(model)));
  }

  @Test
  void toolsHaveTheFormOfChatTemplates() throws InterruptedException {
    read("[{'name':'look','description':'looks','input_schema':{'type':'object'}}]");
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
        "[5] | Invalid 'tools.0': expected an object.",
        "[{'name':'a','input_schema':{}},{'name':7,'input_schema':{}}] | Invalid 'tools.1.name':"
            + " expected a text.",
        "[{'name':'a'}] | Invalid 'tools.0.input_schema': expected an object.",
        "[{'type':'bash_20250124','name':'bash'}] | Invalid 'tools.0.type': this server has tools"
            + " of the type custom only.",
      })
  void theInvalidPartIsNamed(String tools, String message) {
    ApiException refusal = assertThrows(ApiException.class, () -> read(tools));
    assertEquals(message, refusal.getMessage());
  }
}
