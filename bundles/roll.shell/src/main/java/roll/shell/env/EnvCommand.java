package roll.shell.env;

import static org.osgi.service.component.annotations.ReferenceCardinality.MULTIPLE;
import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.KeyValues;
import roll.shell.syntax.PluginCatalog;
import roll.shell.terminal.TerminalLines;

/** {@code env}: lists and shows the registered environments, and lets a person play one. */
@Component(name = "roll.shell.env", service = Command.class)
@RollCommand(function = "env")
public final class EnvCommand extends Command {
  private static final String HINT =
      "Tab completes; 'hint' shows the expert's action; 'quit' or Ctrl-D ends";

  /** Arguments and options of the command {@code env}. */
  static final Syntax SYNTAX =
      new Syntax(
          "env",
          "Lists the environments, shows one, or lets you play it: env list|show|play.",
          List.of(
              Word.one(
                  "list|show|play",
                  "list all, show one with its options and a first observation, or play one"),
              Word.optional("id", "of the environment"),
              Word.any("key=value", "option of the environment to play; seed=n selects the level")),
          List.of());

  private final PluginCatalog<Environment> environments;
  private final Interrupts interrupts;

  /**
   * A command on these environments, each with its service properties; without {@code interrupts}
   * Ctrl-C is left to the shell.
   */
  @Activate
  public EnvCommand(
      @Reference(service = Environment.class, cardinality = MULTIPLE, policyOption = GREEDY)
          List<Map.Entry<Map<String, Object>, Environment>> environments,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(SYNTAX);
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
    this.environments = new PluginCatalog<>("env", "environment", environments);
  }

  /** Returns the list, or the description of one; null after an episode was played. */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given)
      throws IOException, InterruptedException {
    return switch (given.word(0)) {
      case "list" -> {
        given.atMost(1);
        yield environments.table("task", Environment::description);
      }
      case "show" -> {
        given.atMost(2);
        yield EnvReport.of(id(given), environments.find(id(given)).plugin());
      }
      case "play" -> {
        play(session, environments.find(id(given)).plugin(), given.from(2));
        yield null;
      }
      default -> throw SYNTAX.wrong("expected list, show or play, found '" + given.word(0) + "'");
    };
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
    try (Scenario scenario =
            environment.configure(
                YamlOptions.checked("env_config", options, environment.options()));
        Interrupts.Watch _ = interrupts.watch();
        TerminalLines lines = TerminalLines.of(session, HINT)) {
      new EnvPlay(lines, session.getConsole())
          .play(environment, scenario, seed instanceof Integer level ? level : 0);
    }
  }
}
