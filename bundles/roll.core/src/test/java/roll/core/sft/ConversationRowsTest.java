package roll.core.sft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.dataset.Row;
import roll.api.model.ChatTemplate;
import roll.api.model.Tokenizer;
import roll.runtime.config.ContextFields;
import roll.runtime.config.SftConfig;
import roll.runtime.config.SftConfig.Truncation;
import roll.template.FolderChatTemplates;

/** The forms that conversations have in data sets: what is learned of equal ones is equal. */
class ConversationRowsTest {
  private static final Tokenizer BYTES = new EndingBytes();

  /** Shows calls and tools, and forgets earlier thoughts, as Qwen3's does. */
  private static final String TEMPLATE =
      """
      {%- for t in tools or [] %}[{{ t | tojson }}]{% endfor %}
      {%- for m in messages %}
        {{- '<' + m.role + '>' }}
        {%- if m.role == 'assistant' and not loop.last and '</think>' in m.content %}
          {{- m.content.split('</think>')[-1] }}
        {%- else %}
          {{- m.content }}
        {%- endif %}
        {%- for c in m.tool_calls or [] %}{{ c.function | tojson }}{% endfor %}
        {{- '<|im_end|>' }}
      {%- endfor %}
      {%- if add_generation_prompt %}
        {{- '<assistant>' }}
        {%- if enable_thinking is defined and enable_thinking is false %}{{ '<think></think>' }}{% endif %}
      {%- endif %}
      """;

  @TempDir Path folder;
  private Map<String, Object> variables = Map.of();
  private List<String> sides = List.of("prompt", "response");
  private ContextFields context = ContextFields.ALPACA;

  @Test
  void textsOfJsonAreWhatTheyHold() throws IOException {
    Map<String, Object> function = Map.of("name", "add", "parameters", Map.of("type", "object"));
    Map<String, Object> tool = Map.of("type", "function", "function", function);
    String listed =
        "{\"function\": {\"name\": \"add\", \"parameters\": {\"type\": \"object\"}}, \"type\":"
            + " \"function\"}";
    Map<String, Object> arguments = Map.of("n", 1L);
    List<Object> messages =
        List.of(
            said("user", "1+1?"),
            called("", Map.of("name", "add", "arguments", arguments)),
            said("tool", "2"),
            said("assistant", "It is 2."));
    List<Object> written =
        List.of(
            said("user", List.of(Map.of("type", "text", "text", "1+"), Map.of("text", "1?"))),
            Map.of(
                "role",
                "assistant",
                "tool_calls",
                "[{\"name\": \"add\", \"arguments\": \"{\\\"n\\\": 1}\"}]"),
            said("tool", "2"),
            said("assistant", "It is 2."));
    List<Object> shared =
        List.of(
            Map.of("from", "human", "value", "1+1?"),
            Map.of(
                "from", "function_call", "value", "{\"name\": \"add\", \"arguments\": {\"n\": 1}}"),
            Map.of("from", "observation", "value", "2"),
            Map.of("from", "gpt", "value", "It is 2."));
    List<String> expected =
        learned(
            Map.of(
                "messages",
                messages,
                "tools",
                List.of(Map.of("function", function, "type", "function"))));
    assertEquals(2, expected.size(), expected.toString());
    assertEquals("{\"name\": \"add\", \"arguments\": {\"n\": 1}}<|im_end|>", expected.get(0));
    for (Map<String, Object> row :
        List.<Map<String, Object>>of(
            Map.of("messages", messages, "tools", List.of(tool)),
            Map.of("messages", messages, "tools", "[" + listed + "]"),
            Map.of("messages", written, "tools", List.of(listed)),
            Map.of("conversations", shared, "tools", "[" + listed + "]"))) {
      assertEquals(expected, learned(row), row.toString());
    }
  }

  @Test
  void aMessageOfWeightZeroIsShownOnly() throws IOException {
    List<Object> messages =
        List.of(
            said("user", "a"),
            Map.of("role", "assistant", "content", "wrong", "weight", 0L),
            said("user", "b"),
            Map.of("role", "assistant", "content", "right", "weight", 1.0));
    assertEquals(List.of("right<|im_end|>"), learned(Map.of("messages", messages)));
    assertEquals(
        "x.jsonl:1: the weight of a message: expected 0 or 1, found 2",
        refusal(
            Map.of(
                "messages",
                List.of(
                    said("user", "a"),
                    Map.of("role", "assistant", "content", "b", "weight", 2L)))));
  }

  @Test
  void aTemplateThatForgetsThoughtsMakesASampleOfEachTurn() throws IOException {
    List<Object> messages =
        List.of(
            said("user", "a"),
            said("assistant", "<think>hm</think>one"),
            said("user", "b"),
            said("assistant", "<think>so</think>two"));
    List<Demonstration> turns = read(Map.of("messages", messages));
    assertEquals(
        List.of(
            "<user>a<|im_end|><assistant><think>hm</think>one<|im_end|>",
            "<user>a<|im_end|><assistant>one<|im_end|><user>b<|im_end|><assistant><think>so</think>two<|im_end|>"),
        turns.stream().map(one -> BYTES.decode(one.tokens(), true)).toList());
    assertEquals(
        List.of("<think>hm</think>one<|im_end|>", "<think>so</think>two<|im_end|>"),
        turns.stream().map(ConversationRowsTest::learned).toList());
    List<Object> brief =
        List.of(
            said("user", "a"),
            said("assistant", "one"),
            said("user", "b"),
            said("assistant", "two"));
    assertEquals(1, read(Map.of("messages", brief)).size());
  }

  @Test
  void thoughtsThatThePromptForbidsAreRefusedWithTheKey() {
    variables = Map.of("enable_thinking", false);
    assertEquals(
        "x.jsonl:1: the chat template renders the assistant's text in messages[1] differently from"
            + " its generation prompt, so that the text cannot be separated from the rest; it"
            + " thinks, which actor_train.data_args.chat_template_kwargs: {enable_thinking: true}"
            + " allows",
        refusal(Map.of("prompt", "a", "response", "<think>hm</think>one")));
  }

  @Test
  void theUsualColumnsAreFound() throws IOException {
    assertEquals(
        List.of("5<|im_end|>"),
        learned(Map.of("instruction", "Add.", "input", "2, 3", "output", "5")));
    assertEquals(List.of("5<|im_end|>"), learned(Map.of("problem", "2+3", "solution", "5")));
    Map<String, Object> alpaca =
        Map.of(
            "instruction",
            "c",
            "output",
            "d",
            "system",
            "s",
            "history",
            List.of(List.of("a", "b")));
    assertEquals(
        "<system>s<|im_end|><user>a<|im_end|><assistant>b<|im_end|><user>c<|im_end|><assistant>d<|im_end|>",
        BYTES.decode(read(alpaca).getFirst().tokens(), true));
    assertEquals(List.of("d<|im_end|>"), learned(alpaca));
    assertEquals(
        List.of("b<|im_end|>"),
        learned(
            Map.of(
                "prompt",
                List.of(said("user", "a")),
                "completion",
                List.of(said("assistant", "b")))));
  }

  /** Other usual fields of the row are not read, as in ROLL's SFT pipeline. */
  @Test
  void onlyTheFieldsThatAreNamedAreRead() throws IOException {
    sides = List.of("instruction", "output");
    Map<String, Object> row =
        Map.of(
            "instruction",
            "c",
            "input",
            "x",
            "more",
            "m",
            "output",
            "d",
            "system",
            "s",
            "told",
            "t",
            "history",
            List.of(List.of("a", "b")));
    context = new ContextFields("", "", "");
    assertEquals("<user>c<|im_end|><assistant>d<|im_end|>", text(row));
    context = new ContextFields("more", "told", "");
    assertEquals("<system>t<|im_end|><user>c\nm<|im_end|><assistant>d<|im_end|>", text(row));
    assertEquals(List.of("d<|im_end|>"), learned(row));
  }

  private String text(Map<String, Object> row) throws IOException {
    return BYTES.decode(read(row).getFirst().tokens(), true);
  }

  @Test
  void whatIsNoConversationIsRefused() {
    assertEquals(
        "x.jsonl:1: messages: a chat message has the role 'critic' (allowed: system, user,"
            + " assistant, tool; ShareGPT's: human, gpt, function_call, observation)",
        refusal(Map.of("messages", List.of(said("critic", "x")))));
    assertEquals(
        "x.jsonl:1: messages: the arguments of a call of 'add' are no JSON object",
        refusal(
            Map.of("messages", List.of(called("", Map.of("name", "add", "arguments", "1 + 1"))))));
    assertEquals(
        "x.jsonl:1: the first message is an assistant's",
        refusal(Map.of("messages", List.of(said("assistant", "hi"), said("user", "a")))));
    assertEquals(
        "x.jsonl:1: messages: a part of a chat message has the type 'image' (allowed: text)",
        refusal(Map.of("messages", List.of(said("user", List.of(Map.of("type", "image")))))));
    assertEquals(
        "x.jsonl:1: tools: expected a list of tools, or the JSON text of one",
        refusal(Map.of("prompt", "a", "response", "b", "tools", "a calculator")));
  }

  private String refusal(Map<String, Object> fields) {
    return userError(() -> read(fields));
  }

  private List<String> learned(Map<String, Object> fields) throws IOException {
    return read(fields).stream()
        .map(ConversationRowsTest::learned)
        .flatMap(t -> List.of(t.split("(?<=<.im_end.>)", -1)).stream())
        .filter(t -> !t.isEmpty())
        .toList();
  }

  /** The texts that are learned, one after the other. */
  private static String learned(Demonstration one) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < one.tokens().length; i++) {
      if (one.trained()[i]) {
        text.append(BYTES.decode(new int[] {one.tokens()[i]}, true));
      }
    }
    return text.toString();
  }

  private List<Demonstration> read(Map<String, Object> fields) throws IOException {
    Path file = Files.writeString(folder.resolve("t.jinja"), TEMPLATE);
    ChatTemplate template = new FolderChatTemplates().load(file, Clock.systemUTC());
    SftConfig sft =
        new SftConfig(
            List.of(Path.of("x.jsonl")),
            List.of(),
            sides.getFirst(),
            sides.getLast(),
            "messages",
            null,
            Truncation.ERROR,
            true,
            false,
            1,
            0,
            null,
            context);
    return new Demonstrations(
            files -> List.of(new Row(Path.of("x.jsonl"), 1, fields)),
            sft,
            4_000,
            new ChatDemonstrations(template, variables, BYTES),
            new EpisodeDemonstrations(BYTES, null))
        .read("train_files", sft.trainFiles());
  }

  private static Map<String, Object> said(String role, Object content) {
    return Map.of("role", role, "content", content);
  }

  private static Map<String, Object> called(String content, Map<String, Object> function) {
    return Map.of(
        "role",
        "assistant",
        "content",
        content,
        "tool_calls",
        List.of(Map.of("type", "function", "function", function)));
  }
}
