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
import roll.api.rollout.ChatFormat;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;
import roll.runtime.command.Interrupts;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
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

  private final LocalModels models;
  private final Interrupts interrupts;

  /**
   * Creates the command with its services; without {@code interrupts} Ctrl-C is left to the shell.
   */
  @Activate
  public ChatCommand(
      @Reference LocalModels models,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(SYNTAX);
    this.models = models;
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
        Tokenizer tokenizer = models.tokenizer("chat", folder)) {
      Map<String, Object> variables =
          LocalInference.kwargs("chat", given, LocalInference.TEMPLATE_KWARGS.name());
      ChatFormat format = models.format("chat", given.text("--template"), tokenizer, variables);
      try (InferSession model = models.open("chat", given, folder, seed, 1, 1);
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
