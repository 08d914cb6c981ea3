package roll.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.api.config.Suggestion;
import roll.api.config.UserException;
import roll.api.env.Environment;
import roll.shell.Syntax.Word;

/**
 * {@code env}: which environments are registered and what each is like. A new or lost environment
 * makes a new instance of this component, so that its list is never stale.
 */
@Component(name = "roll.shell.env", service = EnvCommand.class)
@RollCommand(function = "env", description = EnvCommand.SUMMARY)
public final class EnvCommand {
  static final String SUMMARY = "Lists the environments, or shows one: env list, env show <id>.";
  private static final Syntax SYNTAX =
      new Syntax(
          "env",
          SUMMARY,
          List.of(
              Word.one(
                  "list|show", "list all, or show one with its options and a first observation"),
              Word.optional("id", "of the environment to show")),
          List.of());

  private final Map<String, Environment> environments = new TreeMap<>();

  /** A command on these environments, each with its service properties. */
  @Activate
  public EnvCommand(
      @Reference(
              service = Environment.class,
              cardinality = ReferenceCardinality.MULTIPLE,
              policyOption = ReferencePolicyOption.GREEDY)
          List<Map.Entry<Map<String, Object>, Environment>> environments) {
    for (var environment : environments) {
      for (String id : Ids.all(environment.getKey().get("roll.env"))) {
        this.environments.put(id, environment.getValue());
      }
    }
  }

  /** The list of environments, or all of one. */
  @Descriptor(SUMMARY)
  public String env(CommandSession session, @Descriptor("list | show <id>") String... arguments) {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
    String id = given.optional(1);
    return switch (given.word(0)) {
      case "list" -> list();
      case "show" -> {
        if (id == null) {
          throw SYNTAX.wrong("show needs an <id>");
        }
        yield EnvPage.of(id, find(id));
      }
      default -> throw SYNTAX.wrong("expected list or show, found '" + given.word(0) + "'");
    };
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
