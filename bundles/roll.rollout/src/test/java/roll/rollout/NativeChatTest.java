package roll.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.data.Message;
import roll.api.rollout.ChatFormat;
import roll.rollout.chat.NamedChatFormats;
import roll.template.FolderChatTemplates;

/** The model folder's own template, turn by turn. */
@NullMarked
class NativeChatTest {
  private static final String CHAT_ML =
      "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
          + "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

  /** A beginning of sequence, trimmed contents, and no line end behind the end of a turn. */
  private static final String HEADERS =
      "{{ bos_token }}{% for m in messages %}<|im_start|>{{ m.role }}:\n\n{{ m.content | trim }}"
          + "<|im_end|>{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant:\n\n"
          + "{% endif %}";

  /** Like Qwen3's, it keeps the thinking of the last turn only. */
  private static final String FORGETFUL =
      """
      {%- for m in messages %}
      {%- if m.role == 'assistant' and not loop.last %}
      {{- '<|im_start|>assistant\\n' + m.content.split('</think>')[-1].lstrip('\\n') + '<|im_end|>\\n' }}
      {%- else %}
      {{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}
      {%- endif %}
      {%- endfor %}
      {%- if add_generation_prompt %}
      {{- '<|im_start|>assistant\\n' }}
      {%- if enable_thinking is defined and enable_thinking is false %}
      {{- '<think>\\n\\n</think>\\n\\n' }}
      {%- endif %}
      {%- endif %}
      """;

  @TempDir Path folder;

  private CharTokenizer tokenizer() {
    return new CharTokenizer(folder, "<|im_start|>", "<|im_end|>", "<|endoftext|>");
  }

  private ChatFormat format(String template, Map<String, ?> variables) throws IOException {
    Files.writeString(folder.resolve("chat_template.jinja"), template);
    Files.writeString(
        folder.resolve("tokenizer_config.json"), "{\"bos_token\": \"<|endoftext|>\"}");
    return new NamedChatFormats(new FolderChatTemplates()).find("native", tokenizer(), variables);
  }

  private String text(int[] tokens) {
    return tokenizer().decode(tokens, true);
  }

  private String whole(List<Message> messages) {
    Map<String, @Nullable Object> context = new HashMap<>();
    context.put(
        "messages",
        messages.stream().map(m -> Map.of("role", m.role(), "content", m.content())).toList());
    context.put("add_generation_prompt", true);
    return new FolderChatTemplates().load(folder, Clock.systemUTC()).render("test", context);
  }

  @ParameterizedTest
  @ValueSource(strings = {CHAT_ML, HEADERS})
  void incrementsAreTheWholeRendering(String template) throws IOException {
    ChatFormat format = format(template, Map.of());
    assertEquals(List.of(CharTokenizer.END, CharTokenizer.PAD), format.stops());
    SplittableRandom random = new SplittableRandom(7);
    for (int game = 0; game < 50; game++) {
      List<Message> messages = new ArrayList<>();
      if (random.nextBoolean()) {
        messages.add(new Message("system", word(random)));
      }
      messages.add(new Message("user", word(random)));
      List<Integer> tokens = list(format.opening(messages));
      for (int turn = 0; turn < random.nextInt(1, 5); turn++) {
        int[] response = tokenizer().encode(word(random) + "<|im_end|>");
        tokens.addAll(list(response));
        messages.add(new Message("assistant", tokenizer().decode(response, false)));
        List<Message> more = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(2); i++) {
          more.add(new Message(random.nextBoolean() ? "user" : "tool", word(random)));
        }
        tokens.addAll(list(format.between(response, more)));
        messages.addAll(more);
        assertEquals(list(tokenizer().encode(whole(messages))), tokens);
      }
    }
  }

  private static String word(SplittableRandom random) {
    StringBuilder text = new StringBuilder("w");
    random.ints(random.nextInt(12), ' ', 'z').forEach(c -> text.append((char) c));
    return text + "w";
  }

  private static List<Integer> list(int[] tokens) {
    return new ArrayList<>(IntStream.of(tokens).boxed().toList());
  }

  @Test
  void qwenTemplateWithTools() throws IOException {
    Path templates =
        Path.of(System.getProperty("roll.root"), "bundles/roll.template/src/test/resources");
    ChatFormat format =
        format(
            Files.readString(templates.resolve("roll/template/Qwen2.5-7B-Instruct.jinja")),
            Map.of());
    List<Message> messages = new ArrayList<>(List.of(new Message("user", "q")));
    int[] opening = format.opening(messages);
    int[] response = tokenizer().encode("a<|im_end|>");
    List<Message> results = List.of(new Message("tool", "r1"), new Message("tool", "r2"));
    int[] between = format.between(response, results);
    assertEquals(
        """

        <|im_start|>user
        <tool_response>
        r1
        </tool_response>
        <tool_response>
        r2
        </tool_response><|im_end|>
        <|im_start|>assistant
        """,
        text(between));
    messages.add(new Message("assistant", "a"));
    messages.addAll(results);
    assertEquals(whole(messages), text(opening) + text(response) + text(between));
  }

  /** Like Mistral's, which wants nine letters and digits. */
  @Test
  void resultsHaveTheIdsOfCalls() throws IOException {
    String template =
        "{% for m in messages %}{% if m.role == 'tool' %}{% if m.tool_call_id is not defined or"
            + " m.tool_call_id | length != 9 %}{{ raise_exception('no id') }}{% endif %}"
            + "[{{ m.tool_call_id }} {{ m.name }}: {{ m.content }}]{% else %}<{{ m.content }}>"
            + "{% endif %}{% endfor %}";
    ChatFormat format = format(template, Map.of());
    List<Message> results =
        List.of(new Message("tool", "1", "add"), new Message("tool", "2", "mul"));
    String shown = "[call00000 add: 1][call00001 mul: 2]";
    assertTrue(text(format.between(new int[0], results)).endsWith(shown));
    List<Message> whole = List.of(new Message("user", "q"), results.getFirst(), results.getLast());
    assertEquals("<q>" + shown, text(format.opening(whole)));
  }

  @Test
  void aTemplateThatForgetsDoesNotReachWhatWasSampled() throws IOException {
    ChatFormat format = format(FORGETFUL, Map.of());
    List<Message> messages = new ArrayList<>(List.of(new Message("user", "q")));
    int[] opening = format.opening(messages);
    int[] response = tokenizer().encode("<think>hm</think>a<|im_end|>");
    Message next = new Message("user", "n");
    int[] between = format.between(response, List.of(next));
    String said = text(opening) + text(response) + text(between);
    assertEquals(
        """
        <|im_start|>user
        q<|im_end|>
        <|im_start|>assistant
        <think>hm</think>a<|im_end|>
        <|im_start|>user
        n<|im_end|>
        <|im_start|>assistant
        """,
        said);
    messages.add(new Message("assistant", "<think>hm</think>a"));
    messages.add(next);
    assertEquals(said.replace("<think>hm</think>", ""), whole(messages), "transformers forgets");
  }

  @Test
  void variablesReachTheTemplate() throws IOException {
    ChatFormat format = format(FORGETFUL, Map.of("enable_thinking", false));
    String tail = "<|im_start|>assistant\n<think>\n\n</think>\n\n";
    assertTrue(text(format.opening(List.of(new Message("user", "q")))).endsWith(tail));
    assertTrue(text(format.between(new int[0], List.of(new Message("user", "n")))).endsWith(tail));
  }

  /** Like a request to the endpoint of an episode asks for them. */
  @Test
  void otherVariablesGoOverThoseOfTheRun() throws IOException {
    ChatFormat format = format(FORGETFUL, Map.of("enable_thinking", false, "x", 1));
    List<Message> asked = List.of(new Message("user", "q"));
    ChatFormat thinking = format.with(Map.of("enable_thinking", true));
    assertTrue(text(thinking.opening(asked)).endsWith("<|im_start|>assistant\n"));
    assertTrue(text(thinking.between(new int[0], asked)).endsWith("<|im_start|>assistant\n"));
    assertEquals(text(format.opening(asked)), text(format.with(Map.of()).opening(asked)));
    assertEquals(
        text(format.opening(asked)),
        text(thinking.with(Map.of("enable_thinking", false, "tools", 7)).opening(asked)),
        "what is a part of the conversation is no variable");
  }

  @Test
  void aResponseWithoutItsEndGetsIt() throws IOException {
    ChatFormat format = format(HEADERS, Map.of());
    List<Message> next = List.of(new Message("user", "n"));
    String rest = "<|im_start|>user:\n\nn<|im_end|><|im_start|>assistant:\n\n";
    assertEquals("<|im_end|>" + rest, text(format.between(tokenizer().encode("cut"), next)));
    assertEquals("<|im_end|>" + rest, text(format.between(new int[0], next)));
    assertEquals(rest, text(format.between(new int[] {CharTokenizer.END}, next)));
    int[] stopped = {'a', CharTokenizer.PAD};
    assertEquals("<|im_end|>" + rest, text(format.between(stopped, next)), "another stop token");
  }

  @Test
  void aTemplateWithoutSpecialTokensHasNoStopOfItsOwn() throws IOException {
    ChatFormat format = format("{% for m in messages %}{{ m.content }} {% endfor %}", Map.of());
    assertEquals(List.of(CharTokenizer.PAD), format.stops());
    assertEquals("q ", text(format.opening(List.of(new Message("user", "q")))));
    assertEquals(" n ", text(format.between(new int[] {'a'}, List.of(new Message("user", "n")))));
  }

  @Test
  void whatCannotBeUsedIsRefusedAtOnce() throws IOException {
    assertEquals(
        "'native': " + file() + ", line 1: the template refuses the conversation: no chat today",
        refused("{{ raise_exception('no chat\ntoday') }}"));
    assertEquals(
        "'native': " + file() + ", line 2: expected a name, found end of statement block",
        refused("\n{% for %}"));
    assertEquals(
        "'native': the chat template omits the assistant's message",
        refused("{% for m in messages if m.role == 'user' %}{{ m.content }}{% endfor %}"));
    Files.delete(file());
    assertEquals(
        "'native': "
            + folder
            + ": has no chat template: neither chat_template.jinja nor chat_template in"
            + " tokenizer_config.json",
        userError(
            () ->
                new NamedChatFormats(new FolderChatTemplates())
                    .find("native", tokenizer(), Map.of())));
  }

  private Path file() {
    return folder.resolve("chat_template.jinja");
  }

  private @Nullable String refused(String template) {
    return userError(() -> format(template, Map.of()));
  }

  @Test
  void sampledTokensAreNeverTokenisedAgain() throws IOException {
    ChatFormat format = format(CHAT_ML, Map.of());
    int[] response = {'<', '|', 'i', 'm', CharTokenizer.START, CharTokenizer.END};
    int[] before = response.clone();
    int[] between = format.between(response, List.of(new Message("user", "n")));
    assertTrue(Arrays.equals(before, response));
    assertEquals(
        "\n<|im_start|>user\nn<|im_end|>\n<|im_start|>assistant\n",
        text(between),
        "a start token in the response does not change what follows");
  }
}
