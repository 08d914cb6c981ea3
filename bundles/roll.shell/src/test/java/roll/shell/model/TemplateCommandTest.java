package roll.shell.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.shell.Gogo;
import roll.template.FolderChatTemplates;

/** {@code template} with real templates. */
class TemplateCommandTest {
  private static final String CHAT =
      "{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}{{ more }}";

  @TempDir Path folder;
  private final TemplateCommand command = new TemplateCommand(new FolderChatTemplates());

  private String write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private String run(String input, String... arguments) throws IOException {
    try (Gogo gogo = new Gogo(command, "template", input)) {
      assertNull(gogo.call(command, arguments));
      return gogo.printed();
    }
  }

  private String mistake(String input, String... arguments) {
    String message = assertThrows(UserException.class, () -> run(input, arguments)).getMessage();
    assertEquals(1, message.lines().count());
    return message.replace(folder.toString(), "F");
  }

  @Test
  void thePromptIsPrintedAsItIs() throws IOException {
    String template = write("t.jinja", CHAT);
    String context =
        write(
            "c.json",
            """
            {"messages": [{"role": "user", "content": "é🙂"}],
             "more": [1, -0, 1.0, 1e2, 12345678901234567890, null, true]}
            """);
    String expected = "<user>é🙂\n[1, 0, 1.0, 100.0, 12345678901234567890, None, True]";
    assertEquals(expected, run("", template, context));
    assertEquals(expected, run(Files.readString(Path.of(context)), template, "-"));
  }

  @Test
  void aFolderHasItsTemplateInItsFiles() throws IOException {
    write(
        "tokenizer_config.json",
        "{\"eos_token\": \"</s>\", \"chat_template\": \"{{ eos_token }}\"}");
    String context = write("c.json", "{\"messages\": [{}]}");
    assertEquals("</s>", run("", folder.toString(), context));
  }

  @Test
  void mistakesAreOneLine() throws IOException {
    String template = write("t.jinja", CHAT);
    assertEquals("template: no file 'F/absent'", mistake("", template, folder + "/absent"));
    assertEquals(
        "F/absent: there is no such file or folder",
        mistake("{\"messages\": [1]}", folder + "/absent", "-"));
    assertEquals(
        "F/c.json: messages: expected a list of at least one message, found none",
        mistake("", template, write("c.json", "{}")));
    assertEquals(
        "standard input: messages: expected a list of at least one message, found hi",
        mistake("{\"messages\": \"hi\"}", template, "-"));
    assertEquals(
        "standard input: expected a JSON object, found nothing", mistake("", template, "-"));
    assertEquals(
        "standard input: expected a JSON object, found a list", mistake("[1]", template, "-"));
    assertEquals(
        "standard input: is not a JSON object: ",
        mistake("{\"messages\": [}", template, "-").substring(0, 38));
    assertEquals(
        "standard input: is not a JSON object: ",
        mistake("{\"messages\": [1]} x", template, "-").substring(0, 38));
    assertEquals(
        "F/bad.jinja, line 2: Encountered unknown tag 'nope'",
        mistake("{\"messages\": [1]}", write("bad.jinja", "\n{% nope %}"), "-"));
    assertEquals(
        "F/r.jinja, line 1: the template refuses the conversation: only users",
        mistake(
            "{\"messages\": [1]}", write("r.jinja", "{{ raise_exception('only users') }}"), "-"));
    assertEquals(
        "template: <context> is missing; usage: template <template> <context>",
        mistake("", template));
  }
}
