package roll.shell.model;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.image.Picture;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.ChatFormats;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Sampling;
import roll.runtime.command.Interrupts;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.syntax.RequiredService;
import roll.shell.terminal.TerminalLines;

/** {@code chat}: chats with a model or a checkpoint, turn by turn. */
@Component(name = "roll.shell.chat", service = Command.class)
@RollCommand(function = "chat")
public final class ChatCommand extends Command {
  private static final String HINT = "/reset restarts the conversation; /exit or Ctrl-D ends";

  /** Arguments and options of the command {@code chat}. */
  static final Syntax SYNTAX =
      new Syntax(
          "chat",
          "Chats with a model or a checkpoint, turn by turn.",
          List.of(LocalInference.FOLDER),
          options());

  private static List<Option> options() {
    List<Option> options = new ArrayList<>();
    options.add(Option.text("--system", "the system message"));
    options.add(ImageOption.IMAGE);
    options.add(Option.one("--template", "name", "native", "chat format of the model"));
    options.add(LocalInference.TEMPLATE_KWARGS);
    options.addAll(SamplingOptions.of("0.7", "0.9", "512"));
    options.addAll(LocalInference.OPTIONS);
    return List.copyOf(options);
  }

  private final @Nullable TokenizerLoader tokenizers;
  private final ChatFormats formats;
  private final @Nullable InferStrategy strategy;
  private final Interrupts interrupts;

  /**
   * Creates the command with its services; without {@code interrupts} Ctrl-C is left to the shell.
   */
  @Activate
  public ChatCommand(
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY)
          @Nullable TokenizerLoader tokenizers,
      @Reference ChatFormats formats,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY, target = "(roll.strategy=hf_infer)")
          @Nullable InferStrategy strategy,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(SYNTAX);
    this.tokenizers = tokenizers;
    this.formats = formats;
    this.strategy = strategy;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /** Chats until the input ends. */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given)
      throws IOException, InterruptedException {
    Path folder = LocalInference.folder("chat", session, given.word(0));
    List<Picture> pictures = ImageOption.of("chat", session, given);
    Sampling sampling = SamplingOptions.read(given);
    long seed = SamplingOptions.seed(given);
    try (Interrupts.Watch _ = interrupts.watch();
        Tokenizer tokenizer = RequiredService.of(tokenizers, "chat", "roll.torch").load(folder)) {
      Map<String, Object> variables =
          LocalInference.kwargs("chat", given, LocalInference.TEMPLATE_KWARGS.name());
      ChatFormat format =
          LocalInference.format("chat", formats, given.text("--template"), tokenizer, variables);
      try (InferSession model =
              LocalInference.open(
                  RequiredService.of(strategy, "chat", "roll.strategy.hf_infer"),
                  given,
                  folder,
                  seed,
                  1,
                  1);
          TerminalLines lines = TerminalLines.of(session, HINT)) {
        talk(
            lines,
            new ChatSession(
                session.getConsole(),
                model,
                tokenizer,
                format,
                sampling,
                seed,
                given.optional("--system"),
                pictures));
      }
    }
    return null;
  }

  private static void talk(TerminalLines lines, ChatSession talk)
      throws IOException, InterruptedException {
    for (String line = lines.next(); line != null; line = lines.next()) {
      switch (line.strip()) {
        case "" -> {}
        case "/exit" -> {
          return;
        }
        case "/reset" -> talk.reset();
        default -> talk.say(line);
      }
    }
  }
}
