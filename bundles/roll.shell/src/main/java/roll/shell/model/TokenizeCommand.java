package roll.shell.model;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.nio.file.Path;
import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.RequiredService;
import roll.shell.terminal.Json;
import roll.shell.terminal.Table;

/** {@code tokenize}: prints the tokens of a text. */
@Component(name = "roll.shell.tokenize", service = Command.class)
@RollCommand(function = "tokenize")
public final class TokenizeCommand extends Command {
  /** Arguments and options of the command {@code tokenize}. */
  static final Syntax SYNTAX =
      new Syntax(
          "tokenize",
          "Prints the tokens of a text.",
          List.of(
              Word.one("folder", "a model in Hugging Face's layout; only its tokenizer is needed"),
              Word.one("text", "the text; special tokens in it are recognized")),
          List.of(
              Option.flag("--bare", "omit the special tokens at the beginning and end"),
              Option.flag("--json", "print the ids as one line of JSON")));

  private final @Nullable TokenizerLoader tokenizers;

  /** Creates the command with {@code tokenizers}. */
  @Activate
  public TokenizeCommand(
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY)
          @Nullable TokenizerLoader tokenizers) {
    super(SYNTAX);
    this.tokenizers = tokenizers;
  }

  /** The JSON output of {@code tokenize --json}. */
  private record Line(int[] ids) {}

  /** Returns a table with a line per token, or a line of JSON. */
  @Override
  protected String run(CommandSession session, Arguments given) {
    Path folder = LocalInference.folder("tokenize", session, given.word(0));
    try (Tokenizer tokenizer =
        RequiredService.of(tokenizers, "tokenize", "roll.torch").load(folder)) {
      String text = given.word(1);
      int[] ids = given.flag("--bare") ? tokenizer.encode(text) : tokenizer.encodePrompt(text);
      return given.flag("--json") ? Json.line(new Line(ids)) : table(tokenizer, ids);
    }
  }

  private static String table(Tokenizer tokenizer, int[] ids) {
    Table table = new Table().row("id", "token");
    for (int id : ids) {
      table.row(String.valueOf(id), Json.line(tokenizer.decode(new int[] {id}, true)));
    }
    return table + "\n\n" + ids.length + (ids.length == 1 ? " token" : " tokens");
  }
}
