package roll.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.model.ChatTemplate;

/** Locations of templates, and their variables. */
class FolderChatTemplatesTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2025-07-10T12:00:00Z"), ZoneOffset.UTC);
  private static final Map<String, Object> HI = message("user", "hi");

  @TempDir Path folder;

  private static Map<String, Object> message(String role, Object content) {
    return Map.of("role", role, "content", content);
  }

  private ChatTemplate load() {
    return new FolderChatTemplates().load(folder, CLOCK);
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private String render(Object... more) {
    Map<String, Object> context = new HashMap<>(Map.of("messages", List.of(HI)));
    for (int i = 0; i < more.length; i += 2) {
      context.put((String) more[i], more[i + 1]);
    }
    return load().render("context.json", context);
  }

  private String mistake(Object... more) {
    String message = userError(() -> render(more));
    assertEquals(1, message.lines().count());
    return message.replace(folder.toString(), "F");
  }

  @Test
  void theConfigurationHasOneTemplateOrSeveral() throws IOException {
    write("tokenizer_config.json", "{\"chat_template\": \"one {{ messages[0].content }}\"}");
    assertEquals("one hi", render());
    write(
        "tokenizer_config.json",
        """
        {"chat_template": [{"name": "default", "template": "default"},
          {"name": "tool_use", "template": "{{ tools|length }} tools"}]}
        """);
    assertEquals("default", render());
    assertEquals("2 tools", render("tools", List.of(1, 2)));
    assertEquals("default", render("tools", List.of(1), "chat_template", "default"));
    assertEquals(
        "context.json: chat_template: 'tool-use' is not among the folder's (default, tool_use);"
            + " did you mean 'tool_use'?",
        mistake("chat_template", "tool-use"));
  }

  @Test
  void filesComeBeforeTheConfiguration() throws IOException {
    write("tokenizer_config.json", "{\"chat_template\": \"configured\"}");
    write("chat_template.jinja", "file\n");
    assertEquals("file", render());
    write("additional_chat_templates/rag.jinja", "rag");
    assertEquals("file", render());
    assertEquals("rag", render("chat_template", "rag"));
    Files.delete(folder.resolve("chat_template.jinja"));
    assertEquals(
        "context.json: chat_template: 'default' is not among the folder's (rag)", mistake());
  }

  @Test
  void specialTokensAreVariables() throws IOException {
    write("special_tokens_map.json", "{\"unk_token\": \"<unk>\", \"bos_token\": \"old\"}");
    write(
        "tokenizer_config.json",
        """
        {"bos_token": "<s>", "eos_token": {"content": "</s>"}, "pad_token": null,
         "additional_special_tokens": ["<a>", {"content": "<b>"}],
         "extra_special_tokens": {"image_token": "<image>"},
         "chat_template": "{{ bos_token }}{{ eos_token }}{{ unk_token }}\
        {{ additional_special_tokens }}{{ image_token }}{{ pad_token is defined }}"}
        """);
    assertEquals("<s></s><unk>['<a>', '<b>']<image>False", render());
    assertEquals("x</s><unk>['<a>', '<b>']<image>False", render("bos_token", "x"));
  }

  @Test
  void theClockTellsTheTime() throws IOException {
    write("chat_template.jinja", "{{ strftime_now('%d %B %Y') }}");
    assertEquals("10 July 2025", render());
  }

  @Test
  void mistakesAreOneLine() throws IOException {
    assertEquals(
        "F: has no chat template: neither chat_template.jinja nor chat_template in"
            + " tokenizer_config.json",
        mistake());
    write("tokenizer_config.json", "{");
    assertEquals("F/tokenizer_config.json: is not a JSON object: ", mistake().substring(0, 47));
    write("tokenizer_config.json", "{\"chat_template\": [{\"name\": \"x\"}]}");
    assertEquals(
        "F/tokenizer_config.json: chat_template: expected entries with name and template",
        mistake());
    write("tokenizer_config.json", "{\"chat_template\": \"a\\n{% if %}\"}");
    assertEquals(
        "F/tokenizer_config.json: chat_template, line 2: unexpected end of statement block",
        mistake());
    write("chat_template.jinja", "a\n\n{{ messages[0].content.nothing() }}");
    assertEquals(
        "F/chat_template.jinja, line 3: 'str object' has no attribute 'nothing'", mistake());
    write("chat_template.jinja", "\n{{ raise_exception('roles\\n  must alternate') }}");
    assertEquals(
        "F/chat_template.jinja, line 2: the template refuses the conversation: roles must"
            + " alternate",
        mistake());
    assertEquals(
        "context.json: messages: expected a list of at least one message, found []",
        mistake("messages", List.of()));
    assertEquals(
        "context.json: messages: expected a list of at least one message, found none",
        userError(() -> load().render("context.json", Map.of())));
    Path absent = folder.resolve("absent");
    assertEquals(
        absent + ": there is no such file or folder",
        userError(() -> new FolderChatTemplates().load(absent, CLOCK)));
  }

  @Test
  void aTemplateThatNeverEndsItsCallsFails() throws IOException {
    write("chat_template.jinja", "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}");
    assertEquals("F/chat_template.jinja: the template calls itself too deeply", mistake());
    write("chat_template.jinja", "{{" + "(".repeat(2000) + 1 + ")".repeat(2000) + "}}");
    assertEquals("F/chat_template.jinja: the template is nested too deeply", mistake());
  }

  @Test
  void theLastMessageIsContinued() throws IOException {
    write(
        "chat_template.jinja",
        "{% for m in messages %}<{{ m.role }}>{{ m.content }}</>\n{% endfor %}");
    List<Object> prefilled = List.of(HI, message("assistant", "{\"a\": "));
    assertEquals(
        "<user>hi</>\n<assistant>{\"a\": ",
        render("messages", prefilled, "continue_final_message", true));
    assertEquals(
        "<user>hi</>\n<assistant>{\"a\": </>\n",
        render("messages", prefilled, "continue_final_message", false));
    write("chat_template.jinja", "{% for m in messages %}[{{ m.content|trim }}]{% endfor %}");
    assertEquals(
        "[hi][{\"a\":", render("messages", prefilled, "continue_final_message", "content"));
    write(
        "chat_template.jinja",
        "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}"
            + "{% for c in m.content %}{{ c.text }}{% endfor %}{% endif %};{% endfor %}");
    List<Object> blocks = List.of(Map.of("type", "text", "text", "one"), Map.of("type", "image"));
    assertEquals(
        "hi;one",
        render(
            "messages", List.of(HI, message("assistant", blocks)), "continue_final_message", true));
  }

  @Test
  void whatCannotBeContinuedIsRefused() throws IOException {
    String key = "context.json: continue_final_message: ";
    write("chat_template.jinja", "{{ messages[0].content }}");
    assertEquals(
        key + "add_generation_prompt would begin another message",
        mistake("continue_final_message", true, "add_generation_prompt", true));
    assertEquals(
        key + "the template does not read 'thinking'",
        mistake("continue_final_message", "thinking"));
    assertEquals(
        key + "expected true, false or the name of a field", mistake("continue_final_message", 3L));
    assertEquals(
        key + "the last message has no 'content' to continue",
        mistake("continue_final_message", true, "messages", List.of(Map.of("role", "assistant"))));
    assertEquals(
        key + "the template leaves out the end of the last message",
        mistake(
            "continue_final_message",
            true,
            "messages",
            List.of(HI, message("assistant", "left out"))));
  }
}
