package roll.shell.model;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.model.ChatTemplates;
import roll.api.option.UserException;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.RequiredService;
import roll.shell.syntax.UserPath;
import roll.shell.terminal.Json;

/** {@code template}: renders a conversation with a chat template. */
@Component(name = "roll.shell.template", service = Command.class)
@RollCommand(function = "template")
public final class TemplateCommand extends Command {
  private static final String STANDARD_INPUT = "-";

  /** Arguments and options of the command {@code template}. */
  static final Syntax SYNTAX =
      new Syntax(
          "template",
          "Prints a conversation as a chat template renders it.",
          List.of(
              Word.one("template", "a model folder, or a Jinja template file"),
              Word.one(
                  "context",
                  "JSON file with messages, tools, add_generation_prompt and other variables of the"
                      + " template; - reads standard input")),
          List.of());

  private final @Nullable ChatTemplates templates;

  /** Creates the command with {@code templates}. */
  @Activate
  public TemplateCommand(
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable ChatTemplates templates) {
    super(SYNTAX);
    this.templates = templates;
  }

  /** Prints the prompt byte for byte in UTF-8, without an additional line end. */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given) throws IOException {
    Path template = UserPath.of(session, given.word(0));
    String name = given.word(1);
    boolean piped = name.equals(STANDARD_INPUT);
    String where = piped ? "standard input" : UserPath.of(session, name).toString();
    Map<String, @Nullable Object> context =
        Json.object(where, piped ? text(session.getKeyboard()) : text(UserPath.of(session, name)));
    String prompt =
        RequiredService.of(templates, "template", "roll.template")
            .load(template, Clock.system(ZoneId.systemDefault()))
            .render(where, context);
    session.getConsole().write(prompt.getBytes(StandardCharsets.UTF_8));
    session.getConsole().flush();
    return null;
  }

  private static String text(InputStream input) throws IOException {
    return new String(input.readAllBytes(), StandardCharsets.UTF_8);
  }

  private static String text(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new UserException("template: no file '" + file + "'");
    }
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read as UTF-8 text", e);
    }
  }
}
