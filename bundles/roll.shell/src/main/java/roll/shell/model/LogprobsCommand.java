package roll.shell.model;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.strategy.InferSession;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.runtime.command.Interrupts;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.terminal.Json;
import roll.shell.terminal.Table;

/** {@code logprobs}: prints log-prob and entropy of each token of a text. */
@Component(name = "roll.shell.logprobs", service = Command.class)
@RollCommand(function = "logprobs")
public final class LogprobsCommand extends Command {

  /** Arguments and options of the command {@code logprobs}. */
  static final Syntax SYNTAX =
      new Syntax(
          "logprobs",
          "Prints log-prob and entropy of each token of a text.",
          List.of(
              LocalInference.FOLDER,
              Word.one("text", "text to score, after the model's beginning-of-sequence token")),
          Stream.concat(
                  Stream.of(
                      Option.flag("--json", "print ids, logprobs and entropy as one line of JSON")),
                  LocalInference.OPTIONS.stream())
              .toList());

  private final LocalModels models;
  private final Interrupts interrupts;

  /**
   * Creates the command with its services; without {@code interrupts} Ctrl-C is left to the shell.
   */
  @Activate
  public LogprobsCommand(
      @Reference LocalModels models,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(SYNTAX);
    this.models = models;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /**
   * The token scores at temperature 1. Entry i of the lists is about token i + 1, since nothing
   * precedes the first token.
   *
   * @param ids tokens
   * @param logprobs of each token but the first, given those before it
   * @param entropy of each of these distributions, in nats
   */
  private record Line(int[] ids, double[] logprobs, double[] entropy) {}

  /** Returns a table with a line per token, or a line of JSON. */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given)
      throws InterruptedException {
    Path folder = LocalInference.folder("logprobs", session, given.word(0));
    if (given.word(1).isEmpty()) {
      throw new UserException("logprobs: the text is empty");
    }
    try (Interrupts.Watch _ = interrupts.watch();
        Tokenizer tokenizer = models.tokenizer("logprobs", folder)) {
      int[] ids = tokenizer.encodePrompt(given.word(1));
      try (InferSession model = models.open("logprobs", given, folder, 0, ids.length, 1)) {
        Line line = score(model, ids);
        return given.flag("--json") ? Json.line(line) : table(tokenizer, line);
      }
    }
  }

  private static Line score(InferSession model, int[] ids) throws InterruptedException {
    boolean[] scored = new boolean[ids.length];
    Arrays.fill(scored, true);
    scored[0] = false;
    Scores scores =
        LocalInference.await(model.score(new TokenBatch(new int[] {0, ids.length}, ids, scored)));
    Line line =
        new Line(
            ids,
            Arrays.copyOfRange(scores.logProbs(), 1, ids.length),
            Arrays.copyOfRange(scores.entropies(), 1, ids.length));
    if (!DoubleStream.concat(Arrays.stream(line.logprobs()), Arrays.stream(line.entropy()))
        .allMatch(Double::isFinite)) {
      throw LocalInference.notFinite();
    }
    return line;
  }

  private static String table(Tokenizer tokenizer, Line line) {
    Table table = new Table().row("id", "token", "logprob", "entropy");
    for (int i = 0; i < line.ids().length; i++) {
      int id = line.ids()[i];
      String token = Json.line(tokenizer.decode(new int[] {id}, true));
      table.row(
          String.valueOf(id),
          token,
          i == 0 ? "" : number(line.logprobs()[i - 1]),
          i == 0 ? "" : number(line.entropy()[i - 1]));
    }
    double sum = Arrays.stream(line.logprobs()).sum();
    int count = line.logprobs().length;
    return count == 0
        ? table.toString()
        : "%s%n%nsum %s, mean %s, perplexity %s"
            .formatted(table, number(sum), number(sum / count), number(Math.exp(-sum / count)));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }
}
