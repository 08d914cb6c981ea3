package roll.shell.serve;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.PrintStream;
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
import roll.api.config.WorkerConfig.Dtype;
import roll.runtime.command.Interrupts;
import roll.runtime.serving.ListenSettings;
import roll.shell.command.Arguments;
import roll.shell.command.Background;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.model.LocalInference;
import roll.shell.syntax.KeyValues;

/**
 * {@code serve}: serves a model or a checkpoint over the HTTP interfaces of OpenAI and Anthropic.
 */
@Component(name = "roll.shell.serve", service = Command.class)
@RollCommand(function = "serve")
public final class ServeCommand extends Command {

  /** Arguments and options of the command {@code serve}. */
  static final Syntax SYNTAX =
      new Syntax(
          "serve",
          "Serves a model or a checkpoint over the HTTP interfaces of OpenAI and Anthropic.",
          List.of(
              Word.optional(
                  "folder",
                  "a model in Hugging Face's layout, or a checkpoint of a run; without it, lists"
                      + " the running servers"),
              Word.any("key=value", "options of the strategy, as in strategy_config")),
          options());

  private static List<Option> options() {
    List<Option> all = new ArrayList<>(ServeOptions.PLACE);
    all.addAll(
        List.of(
            Option.optional(
                "--served-model-name",
                "name",
                "name of the model in requests (default: the folder's name)"),
            Option.one(
                "--strategy", "name", "vllm", "inference strategy: vllm, hf_infer or another"),
            Option.optional("--max-model-len", "n", "maximum tokens of prompt and response"),
            Option.optional("--sequence-length", "n", "alias of --max-model-len"),
            LocalInference.DTYPE,
            LocalInference.DEVICE,
            Option.one(
                "--template",
                "name",
                "native",
                "native (the model's own), a Jinja file, or none for text completion only"),
            ServeOptions.TEMPLATE_KWARGS,
            Option.one(
                "--tool-call-parser", "hermes|none", "hermes", "format of tool calls in responses"),
            LocalInference.RANDOM_WEIGHTS,
            Option.one("--seed", "number", "42", "random seed of random weights"),
            Option.flag(Background.OPTION, "return immediately, as `serve … &` does"),
            Option.optional("--stop", "port", "stop the background server on this port")));
    all.addAll(ServeOptions.PICTURES);
    all.addAll(ServeOptions.LIMITS);
    return List.copyOf(all);
  }

  private final RunningServers folders;
  private final Interrupts interrupts;

  /**
   * Creates the command with its services; without {@code interrupts} Ctrl-C is left to the shell.
   */
  @Activate
  public ServeCommand(
      @Reference RunningServers folders,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(SYNTAX);
    this.folders = folders;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /** Serves until Ctrl-C; in the background until it is stopped or the process ends. */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given)
      throws InterruptedException {
    if (given.flag("--stop")) {
      return folders.stop((int) given.integer("--stop", 1, 65_535));
    }
    String name = given.optional(0);
    if (name == null) {
      return folders.list();
    }
    Path folder = LocalInference.folder("serve", session, name);
    PrintStream out = session.getConsole();
    RunningServers.Order order =
        new RunningServers.Order(
            folder,
            name(given, folder),
            given.text("--strategy"),
            KeyValues.of("serve", given.from(1), Map.of()),
            length(given),
            LocalInference.dtype(given) == Dtype.BF16,
            LocalInference.devices(given),
            given.text("--template"),
            LocalInference.kwargs("serve", given, ServeOptions.TEMPLATE_KWARGS.name()),
            given.word("--tool-call-parser", "hermes", "none").equals("hermes"),
            given.integer("--seed", Long.MIN_VALUE, Long.MAX_VALUE),
            given.flag(LocalInference.RANDOM_WEIGHTS.name()),
            ServeOptions.maxPictures(given),
            ServeOptions.pictureHosts(given));
    ListenSettings place = ServeOptions.place(session, given);
    String notice = ServeOptions.notice(place);
    if (notice != null) {
      out.println(notice);
    }
    if (Background.asked("serve", session, given)) {
      return Background.answer(session, folders.start(order, place, out).line());
    }
    try (Interrupts.Watch _ = interrupts.watch();
        RunningServer served = folders.start(order, place, out)) {
      out.println(served.line() + "; Ctrl-C ends");
      out.println(served.await());
    }
    return null;
  }

  private static String name(Arguments given, Path folder) {
    String name = given.optional("--served-model-name");
    Path last = folder.toAbsolutePath().normalize().getFileName();
    return name != null ? name : last == null ? "model" : last.toString();
  }

  /** Returns the maximum tokens of prompt and response; 0 for the model's maximum. */
  private static int length(Arguments given) {
    if (given.flag("--max-model-len") && given.flag("--sequence-length")) {
      throw SYNTAX.wrong("--max-model-len and --sequence-length are the same option: give one");
    }
    String name = given.flag("--sequence-length") ? "--sequence-length" : "--max-model-len";
    return given.flag(name) ? (int) given.integer(name, 2, Integer.MAX_VALUE) : 0;
  }
}
