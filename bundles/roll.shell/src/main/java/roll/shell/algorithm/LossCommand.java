package roll.shell.algorithm;

import java.util.List;
import java.util.Map;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.api.loss.PolicyLoss;
import roll.shell.algorithm.PluginCatalog.Named;
import roll.shell.syntax.Arguments;
import roll.shell.syntax.RollCommand;
import roll.shell.syntax.Syntax;
import roll.shell.syntax.Syntax.Option;
import roll.shell.syntax.Syntax.Word;
import roll.shell.syntax.UserPath;
import roll.shell.terminal.Json;

/**
 * {@code loss}: which policy losses are registered, what each computes, and what it makes of a
 * batch given by hand. A new or lost loss makes a new instance of this component.
 */
@Component(name = "roll.shell.loss", service = LossCommand.class)
@RollCommand(function = "loss", description = LossCommand.SUMMARY)
public final class LossCommand {
  static final String SUMMARY =
      "Lists policy losses, shows one, or computes a batch: loss list, show <id>, try <id>"
          + " <batch.json>.";

  /** How it is called. */
  public static final Syntax SYNTAX =
      new Syntax(
          "loss",
          SUMMARY,
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
      @Reference(
              service = PolicyLoss.class,
              cardinality = ReferenceCardinality.MULTIPLE,
              policyOption = ReferencePolicyOption.GREEDY)
          List<Map.Entry<Map<String, Object>, PolicyLoss>> losses) {
    this.losses = new PluginCatalog<>("loss", losses);
  }

  /** The list of losses, all of one, or a line of JSON with loss, gradient and metrics. */
  @Descriptor(SUMMARY)
  public String loss(
      CommandSession session,
      @Descriptor("list | show <id> | try <id> <batch.json> [key=value …]") String... arguments) {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
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
