package roll.shell;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.UserException;
import roll.runtime.config.KeyReference;
import roll.runtime.config.KeyReference.Entry;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.RequiredService;
import roll.shell.terminal.Json;
import roll.text.Suggestion;

/** {@code keys}: looks up configuration keys of ROLL, verl, and AgentFly. */
@Component(name = "roll.shell.keys", service = Command.class)
@RollCommand(function = "keys")
public final class KeysCommand extends Command {
  /** The argument for a key, which completion knows. */
  public static final String KEY = "key or text";

  private static final Syntax SYNTAX =
      new Syntax(
          "keys",
          "Lists configuration keys of ROLL, verl, AgentFly, or TRL and how they are handled here.",
          List.of(
              Word.one(
                  String.join("|", KeyReference.FRAMEWORKS),
                  "the framework; roll includes the keys of this project"),
              Word.any(KEY, "only keys that contain it in the name, our key, or the reason")),
          List.of(Option.flag("--json", "print one line of JSON")));

  private final @Nullable KeyReference reference;

  /** Creates the command over {@code reference}. */
  @Activate
  public KeysCommand(
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable KeyReference reference) {
    super(SYNTAX);
    this.reference = reference;
  }

  @Override
  protected String run(CommandSession session, Arguments given) {
    KeyReference known = RequiredService.of(reference, "keys", "roll.config");
    String framework = given.word(0);
    if (!KeyReference.FRAMEWORKS.contains(framework)) {
      throw syntax()
          .wrong(
              "expected one of %s, found '%s'%s"
                  .formatted(
                      String.join(", ", KeyReference.FRAMEWORKS),
                      framework,
                      Suggestion.near(framework, KeyReference.FRAMEWORKS)));
    }
    String text = String.join(" ", given.from(1));
    List<Entry> all = known.keys(framework);
    List<Entry> found = all.stream().filter(entry -> contains(entry, text)).toList();
    if (found.isEmpty()) {
      throw new UserException(
          "keys: nothing in the keys of %s contains '%s'%s"
              .formatted(
                  framework, text, Suggestion.near(text, all.stream().map(Entry::key).toList())));
    }
    return given.flag("--json")
        ? Json.line(found)
        : found.stream().map(KeysCommand::lines).collect(Collectors.joining("\n"));
  }

  private static boolean contains(Entry entry, String text) {
    String wanted = text.toLowerCase(Locale.ROOT);
    return List.of(entry.key(), entry.here(), entry.reason()).stream()
        .anyMatch(part -> part.toLowerCase(Locale.ROOT).contains(wanted));
  }

  private static String lines(Entry entry) {
    String standard = entry.defaultValue();
    String values =
        standard.isEmpty()
            ? entry.values()
            : entry.values() + (standard.equals("required") ? ", " : ", default ") + standard;
    return entry.key()
        + " ("
        + values
        + ")\n  "
        + entry.status()
        + (entry.here().isEmpty()
            ? ""
            : (entry.status().equals("alias") ? " of " : " as ") + entry.here())
        + (entry.reason().isEmpty() ? "" : ": " + entry.reason());
  }
}
