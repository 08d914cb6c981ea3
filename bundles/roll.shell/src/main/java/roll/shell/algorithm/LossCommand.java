package roll.shell.algorithm;

import static org.osgi.service.component.annotations.ReferenceCardinality.MULTIPLE;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.util.List;
import java.util.Map;
import org.apache.felix.service.command.CommandSession;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.loss.PolicyLoss;
import roll.shell.algorithm.PluginCatalog.Named;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.UserPath;
import roll.shell.terminal.Json;

/**
 * {@code loss}: which policy losses are registered, what each computes, and what it makes of a
 * batch given by hand. A new or lost loss makes a new instance of this component.
 */
@Component(name = "roll.shell.loss", service = Command.class)
@RollCommand(function = "loss")
public final class LossCommand extends Command {
  /** How it is called. */
  static final Syntax SYNTAX =
      new Syntax(
          "loss",
          "Lists policy losses, shows one, or computes a batch: loss list, show <id>, try <id>"
              + " <batch.json>.",
          List.of(
              Word.one("list|show|try", "list all, show one with an example, or compute a batch"),
              Word.optional("id", "of the loss"),
              Word.optional(
                  "batch.json",
                  "columns log_probs, old_log_probs, response_mask, advantages; where needed"
                      + " ref_log_probs, entropies, scores"),
              Word.any(
                  "key=value",
                  "pg_clip, pg_clip_low, pg_clip_high, dual_clip_loss, kl_loss_coef, kl_loss_type,"
                      + " entropy_loss_coef, loss_agg_mode, ratio_type, seed, or an option of the"
                      + " loss")),
          List.of(Option.flag("--json", "print list or show as one line of JSON")));

  private final PluginCatalog<PolicyLoss> losses;

  /** A command on these losses, each with its service properties. */
  @Activate
  public LossCommand(
      @Reference(service = PolicyLoss.class, cardinality = MULTIPLE, policyOption = GREEDY)
          List<Map.Entry<Map<String, Object>, PolicyLoss>> losses) {
    super(SYNTAX);
    this.losses = new PluginCatalog<>("loss", losses);
  }

  /** The list of losses, all of one, or a line of JSON with loss, gradient and metrics. */
  @Override
  protected String run(CommandSession session, Arguments given) {
    String action = given.word(0);
    int words = given.from(0).size();
    if (action.equals("list") && words == 1) {
      return list(given.flag("--json"));
    }
    if (action.equals("show") && words == 2) {
      Named<PolicyLoss> named = losses.find(given.word(1));
      return given.flag("--json")
          ? Json.line(LossPage.json(named.names(), named.plugin()))
          : LossPage.of(named.names(), named.plugin());
    }
    if (action.equals("try") && words >= 3) {
      JsonBatch batch = JsonBatch.read(UserPath.of(session, given.word(2)), LossTrial.COLUMNS);
      return LossTrial.of(losses.find(given.word(1)).plugin(), batch, given.from(3));
    }
    throw SYNTAX.wrong("expected list, show <id> or try <id> <batch.json> [key=value …]");
  }

  private String list(boolean json) {
    return json
        ? Json.line(losses.all().stream().map(n -> LossPage.json(n.names(), n.plugin())).toList())
        : losses.table(loss -> loss.info().summary());
  }
}
