package roll.shell.tour;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.UserException;
import roll.runtime.command.Interrupts;
import roll.runtime.pipeline.Trainer;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.create.ProjectTemplate;
import roll.shell.syntax.KeyValues;
import roll.shell.syntax.UserPath;
import roll.shell.terminal.TerminalLines;
import roll.shell.tour.TourText.Step;

/** {@code tour}: shows training, a swap, the page and an environment of one's own. */
@Component(name = "roll.shell.tour", service = Command.class)
@RollCommand(function = "tour")
public final class TourCommand extends Command {
  private static final String YES = "--yes";
  private static final String HINT = "Enter types the command, s skips it, q ends the tour";

  /** Arguments and options of the command {@code tour}. */
  static final Syntax SYNTAX =
      new Syntax(
          "tour",
          "Shows training, a swap, the page and an environment of your own, in five minutes.",
          List.of(Word.any(Syntax.KEYS, "keys for every run of the tour")),
          List.of(
              Option.flag(YES, "run all commands without asking"),
              Option.optional(
                  Syntax.OUTPUT, "dir", "new folder (also -o); by default a temporary one")));

  private final BundleContext context;
  private final CommandProcessor processor;
  private final Trainer trainer;
  private final Interrupts interrupts;

  /**
   * Creates the command with its services; without {@code interrupts} Ctrl-C is left to the shell.
   */
  @Activate
  public TourCommand(
      BundleContext context,
      @Reference CommandProcessor processor,
      @Reference Trainer trainer,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(SYNTAX);
    this.context = context;
    this.processor = processor;
    this.trainer = trainer;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /** Performs the tour; whatever ends it, its runs are stopped and its bundle is removed. */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given) throws Exception {
    List<String> asked = keys(given.words());
    requireFree();
    PrintStream out = session.getConsole();
    Path folder = folder(session, given.optional(Syntax.OUTPUT));
    List<String> keys = new ArrayList<>(List.of("output_dir=" + folder.resolve("output")));
    keys.addAll(asked);
    TourText text = TourText.read();
    CommandSession own = processor.createSession(session.getKeyboard(), out, out);
    try (Interrupts.Watch _ = interrupts.watch();
        TourRun run = new TourRun(own, folder, trainer, keys)) {
      if (given.flag(YES)) {
        for (Step step : text.steps()) {
          show(run, step, out);
          run.perform(step);
        }
      } else if (!asking(session, run, text)) {
        return "the tour was ended" + files(given, folder);
      }
    }
    return "\n" + text.end() + "\n\nthe tour is done" + files(given, folder);
  }

  /**
   * Returns {@code words}, which are given to every run of the tour.
   *
   * @throws UserException if one is not {@code key=value}
   */
  static List<String> keys(List<String> words) {
    var unused = KeyValues.of("tour", words, Map.of());
    return words;
  }

  private static String files(Arguments given, Path folder) {
    return given.flag(Syntax.OUTPUT)
        ? "; its files: " + folder
        : "; its files are temporary (-o <dir> keeps them): " + folder;
  }

  /** Runs the commands that the user types; returns whether it was to the end. */
  private static boolean asking(CommandSession session, TourRun run, TourText text)
      throws Exception {
    PrintStream out = session.getConsole();
    try (TerminalLines lines = TerminalLines.of(session, HINT)) {
      for (Step step : text.steps()) {
        show(run, step, out);
        String line = lines.next();
        if (line == null || line.strip().equals("q")) {
          return false;
        }
        if (!line.strip().equals("s")) {
          run.perform(step);
        }
      }
    }
    return true;
  }

  private static void show(TourRun run, Step step, PrintStream out) {
    out.println();
    if (!step.text().isEmpty()) {
      out.println(step.text() + "\n");
    }
    out.println(step.prompt() + String.join(" ", run.words(step)));
  }

  private void requireFree() {
    if (trainer.runs().stream().anyMatch(run -> run.status().state().active())) {
      throw new UserException("tour: a run is active; stop it first, or use another process");
    }
    if (Stream.of(context.getBundles())
        .anyMatch(bundle -> TourRun.BUNDLE.equals(bundle.getSymbolicName()))) {
      throw new UserException(
          "tour: the bundle " + TourRun.BUNDLE + " is deployed; undeploy it first");
    }
  }

  private Path folder(CommandSession session, @Nullable String output) throws IOException {
    Path folder =
        output == null
            ? Files.createTempDirectory("roll-tour-")
            : UserPath.of(session, output).toAbsolutePath();
    if (output != null && Files.exists(folder)) {
      throw new UserException("tour: " + folder + " exists; nothing is overwritten");
    }
    ProjectTemplate.of(context.getBundle(), "tour").write(folder, Map.of());
    return folder;
  }
}
