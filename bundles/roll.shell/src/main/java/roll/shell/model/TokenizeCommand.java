package roll.shell.model;

import java.nio.file.Path;
import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.shell.syntax.Arguments;
import roll.shell.syntax.RequiredService;
import roll.shell.syntax.RollCommand;
import roll.shell.syntax.Syntax;
import roll.shell.syntax.Syntax.Option;
import roll.shell.syntax.Syntax.Word;
import roll.shell.terminal.Json;
import roll.shell.terminal.Table;

/** {@code tokenize}: the tokens of a text. */
@Component(name = "roll.shell.tokenize", service = TokenizeCommand.class)
@RollCommand(function = "tokenize", description = TokenizeCommand.SUMMARY)
public final class TokenizeCommand {
  static final String SUMMARY = "Prints the tokens of a text.";

  /** How it is called. */
  public static final Syntax SYNTAX =
      new Syntax(
          "tokenize",
          SUMMARY,
          List.of(
              Word.one("folder", "a model in Hugging Face's layout; its tokenizer is enough"),
              Word.one("text", "the text; special tokens in it are recognized")),
          List.of(
              Option.flag(
                  "--bare", "without the special tokens at the beginning and end of an input"),
              Option.flag("--json", "print the ids as one line of JSON")));

  private final @Nullable TokenizerLoader tokenizers;

  /** A command on this service. */
  @Activate
  public TokenizeCommand(
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable TokenizerLoader tokenizers) {
    this.tokenizers = tokenizers;
  }

  /** What is printed for programs. */
  private record Line(int[] ids) {}

  /** A table with a line per token, or a line of JSON. */
  @Descriptor(SUMMARY)
  public String tokenize(
      CommandSession session,
      @Descriptor("<folder> <text> [--bare] [--json]") String... arguments) {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
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
