package roll.shell.env;

import static org.osgi.service.component.annotations.ReferenceCardinality.MULTIPLE;
import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.env.Environment;
import roll.api.env.Scenario;
import roll.api.option.UserException;
import roll.runtime.command.Interrupts;
import roll.runtime.option.YamlOptions;
import roll.runtime.plugin.ServiceNames;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.KeyValues;
import roll.shell.terminal.Table;
import roll.shell.terminal.TerminalLines;
import roll.text.Suggestion;

/**
 * {@code env}: which environments are registered and what each is like. A new or lost environment
 * makes a new instance of this component, so that its list is never stale.
 */
@Component(name = "roll.shell.env", service = Command.class)
@RollCommand(function = "env")
public final class EnvCommand extends Command {
  private static final String HINT = "Tab completes, hint helps, quit or Ctrl-D ends";

  /** How it is called. */
  static final Syntax SYNTAX =
      new Syntax(
          "env",
          "Lists the environments, shows one, or lets you play it: env list|show|play.",
          List.of(
              Word.one(
                  "list|show|play",
                  "list all, show one with its options and a first observation, or play one"),
              Word.optional("id", "of the environment"),
              Word.any("key=value", "sets an option of the one to play; seed=n is its level")),
          List.of());

  private final Map<String, Environment> environments = new TreeMap<>();
  private final Interrupts interrupts;

  /**
   * A command on these environments, each with its service properties; without {@code interrupts}
   * the shell's Ctrl-C is its own.
   */
  @Activate
  public EnvCommand(
      @Reference(service = Environment.class, cardinality = MULTIPLE, policyOption = GREEDY)
          List<Map.Entry<Map<String, Object>, Environment>> environments,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(SYNTAX);
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
    for (var environment : environments) {
      for (String id : ServiceNames.all(environment.getKey().get("roll.env"))) {
        this.environments.put(id, environment.getValue());
      }
    }
  }

  /** The list of environments or all of one; nothing after one was played. */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given)
      throws IOException, InterruptedException {
    return switch (given.word(0)) {
      case "list" -> {
        few(given, 1);
        yield list();
      }
      case "show" -> {
        few(given, 2);
        yield EnvPage.of(id(given), find(id(given)));
      }
      case "play" -> {
        play(session, find(id(given)), given.from(2));
        yield null;
      }
      default -> throw SYNTAX.wrong("expected list, show or play, found '" + given.word(0) + "'");
    };
  }

  private static void few(Arguments given, int most) {
    if (given.words().size() > most) {
      throw SYNTAX.wrong("'" + given.word(most) + "' is one argument too many");
    }
  }

  private static String id(Arguments given) {
    String id = given.optional(1);
    if (id == null) {
      throw SYNTAX.wrong(given.word(0) + " needs an <id>");
    }
    return id;
  }

  private void play(CommandSession session, Environment environment, List<String> settings)
      throws IOException, InterruptedException {
    Map<String, Object> options =
        new LinkedHashMap<>(KeyValues.of("env", settings, environment.options()));
    Object seed = options.remove("seed");
    if (seed != null && !(seed instanceof Integer level && level >= 0)) {
      throw new UserException("env: seed: expected an integer of at least 0, found '" + seed + "'");
    }
    Scenario scenario =
        environment.configure(YamlOptions.checked("env_config", options, environment.options()));
    try (Interrupts.Watch _ = interrupts.watch();
        TerminalLines lines = TerminalLines.of(session, HINT)) {
      new EnvPlay(lines, session.getConsole())
          .play(environment, scenario, seed instanceof Integer level ? level : 0);
    }
  }

  private String list() {
    Table table = new Table().row("id", "task");
    environments.forEach((id, environment) -> table.row(id, environment.description()));
    return table.toString();
  }

  private Environment find(String id) {
    Environment environment = environments.get(id);
    if (environment == null) {
      List<String> known = new ArrayList<>(environments.keySet());
      throw new UserException(
          "env: no environment '"
              + id
              + "' (registered: "
              + (known.isEmpty() ? "none" : String.join(", ", known))
              + ")"
              + Suggestion.near(id, known));
    }
    return environment;
  }
}
