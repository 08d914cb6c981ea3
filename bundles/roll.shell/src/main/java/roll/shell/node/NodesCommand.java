package roll.shell.node;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.nodes.NodeStatus;
import roll.runtime.nodes.Nodes;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.RequiredService;
import roll.shell.syntax.UserPath;
import roll.shell.terminal.Json;
import roll.shell.terminal.Table;

/** {@code nodes}: lists the nodes of a run. */
@Component(name = "roll.shell.nodes", service = Command.class)
@RollCommand(function = "nodes")
public final class NodesCommand extends Command {
  /** Arguments and options of the command {@code nodes}. */
  static final Syntax SYNTAX =
      new Syntax(
          "nodes",
          "Lists the nodes of the run of this process, or of another one.",
          List.of(
              Word.optional(
                  "run",
                  "output folder, or host[:port], of a run of another process (default: the run of"
                      + " this process)")),
          Stream.concat(
                  JoinCommand.TOKEN.options().stream(),
                  Stream.of(Option.flag("--json", "print one line of JSON")))
              .toList());

  private final @Nullable Nodes nodes;

  /** Creates the command with {@code nodes}. */
  @Activate
  public NodesCommand(
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Nodes nodes) {
    super(SYNTAX);
    this.nodes = nodes;
  }

  /** Returns the table, or a line of JSON. */
  @Override
  protected String run(CommandSession session, Arguments given) throws InterruptedException {
    List<NodeStatus> found = find(session, given);
    if (given.flag("--json")) {
      return Json.line(found);
    }
    return found.isEmpty()
        ? "this process is not a node of a run; see `train --listen` and `join`"
        : page(found);
  }

  private List<NodeStatus> find(CommandSession session, Arguments given)
      throws InterruptedException {
    Nodes service = RequiredService.of(nodes, "nodes", "roll.cluster.nodes");
    if (given.words().isEmpty()) {
      return service.nodes();
    }
    Path folder = UserPath.of(session, given.word(0));
    return Files.isDirectory(folder)
        ? service.nodes(folder)
        : service.nodes(given.word(0), JoinCommand.token(SYNTAX, session, given));
  }

  private static String page(List<NodeStatus> nodes) {
    List<String> facts =
        nodes.stream().flatMap(node -> node.facts().keySet().stream()).distinct().sorted().toList();
    List<String> head =
        new ArrayList<>(
            List.of(
                "node", "state", "address", "cores", "devices", "roles", "version", "epoch",
                "lag"));
    head.addAll(facts);
    Table table = new Table().row(head.toArray(String[]::new));
    for (NodeStatus node : nodes) {
      boolean answered = node.lagMillis() >= 0;
      List<String> row =
          new ArrayList<>(
              List.of(
                  node.name(),
                  node.state(),
                  node.address(),
                  Integer.toString(node.cores()),
                  String.join(" ", node.devices()),
                  roles(node),
                  node.version(),
                  answered ? Long.toString(node.epoch()) : "?",
                  answered
                      ? String.format(Locale.ROOT, "%.1f ms", node.lagMillis())
                      : "no answer"));
      facts.forEach(name -> row.add(node.facts().getOrDefault(name, "")));
      table.row(row.toArray(String[]::new));
    }
    return table.toString();
  }

  private static String roles(NodeStatus node) {
    return node.state().equals("first")
        ? "all"
        : node.roles().isEmpty() ? "models" : String.join(" ", node.roles());
  }
}
