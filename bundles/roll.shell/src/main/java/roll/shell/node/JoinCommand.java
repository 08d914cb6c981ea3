package roll.shell.node;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.PrintStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.device.DeviceInspector;
import roll.runtime.command.Interrupts;
import roll.runtime.nodes.JoinRequest;
import roll.runtime.nodes.NodeRoles;
import roll.runtime.nodes.Nodes;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.http.SecretOption;
import roll.shell.syntax.RequiredService;

/** {@code join}: joins this machine to a run of another one. */
@Component(name = "roll.shell.join", service = Command.class)
@RollCommand(function = "join")
public final class JoinCommand extends Command {
  private static final String ROLES = "--roles";

  /** Option: the join token of a run. */
  static final SecretOption TOKEN =
      new SecretOption("--token", "ROLL_TOKEN", "token that the first node prints");

  /** Arguments and options of the command {@code join}. */
  static final Syntax SYNTAX =
      new Syntax(
          "join",
          "Joins a run of another machine as a node; Ctrl-C leaves.",
          List.of(Word.one("host:port", "address of the run, printed by its first node")),
          Stream.of(
                  TOKEN.options(),
                  List.of(
                      Option.optional(
                          "--name", "name", "name of this node (default: host name and a number)"),
                      Option.optional(
                          "--listen",
                          "host[:port]",
                          "address of this machine for the other nodes (default: the one that"
                              + " reaches the run, on any free port)"),
                      Option.optional(
                          ROLES,
                          "role,…",
                          "roles of this node: "
                              + String.join(", ", NodeRoles.ALL)
                              + " (default: all but "
                              + NodeRoles.ENVIRONMENT
                              + ")")))
              .flatMap(List::stream)
              .toList());

  private final @Nullable Nodes nodes;
  private final @Nullable DeviceInspector inspector;
  private final Interrupts interrupts;

  /** Creates the command with its services. */
  @Activate
  public JoinCommand(
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Nodes nodes,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable DeviceInspector inspector,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(SYNTAX);
    this.nodes = nodes;
    this.inspector = inspector;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /** Returns when the run has ended, or after Ctrl-C. */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given) {
    Nodes service = RequiredService.of(nodes, "join", "roll.cluster.nodes");
    String token = token(SYNTAX, session, given);
    PrintStream out = session.getConsole();
    String roles = given.optional(ROLES);
    JoinRequest order =
        new JoinRequest(
            given.word(0),
            token,
            given.optional("--name"),
            given.optional("--listen"),
            Runtime.getRuntime().availableProcessors(),
            devices(),
            roles == null ? List.of() : NodeRoles.read(ROLES, roles));
    try (Interrupts.Watch _ = interrupts.watch()) {
      service.join(order, out::println);
    } catch (InterruptedException e) {
      session.put("exit", INTERRUPTED);
      out.println("left the run");
    }
    return null;
  }

  /** Returns the token from the option, the file or the environment. */
  static String token(Syntax syntax, CommandSession session, Arguments given) {
    String token = TOKEN.read(session, given);
    if (token == null) {
      throw syntax.wrong(TOKEN.name() + " is missing; the first node of the run prints it");
    }
    return token;
  }

  private List<String> devices() {
    return inspector == null
        ? List.of()
        : inspector.devices().stream().map(d -> d.kind() + ":" + d.number()).toList();
  }
}
