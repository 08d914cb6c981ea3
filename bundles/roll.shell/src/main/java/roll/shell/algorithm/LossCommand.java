package roll.shell.algorithm;

import static org.osgi.service.component.annotations.ReferenceCardinality.MULTIPLE;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.loss.PolicyLoss;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.syntax.PluginCatalog.Named;

/** {@code loss}: lists and shows policy losses, and computes the loss of a batch. */
@Component(name = "roll.shell.loss", service = Command.class)
@RollCommand(function = "loss")
public final class LossCommand extends AlgorithmCommand<PolicyLoss> {
  /** Creates the command with the losses, each with its service properties. */
  @Activate
  public LossCommand(
      @Reference(service = PolicyLoss.class, cardinality = MULTIPLE, policyOption = GREEDY)
          List<Map.Entry<Map<String, Object>, PolicyLoss>> losses) {
    super(
        syntax(
            "loss",
            "policy losses",
            "columns log_probs, old_log_probs, response_mask, advantages; if needed"
                + " ref_log_probs, entropies, scores",
            "pg_clip, pg_clip_low, pg_clip_high, dual_clip_loss, kl_loss_coef, kl_loss_type,"
                + " entropy_loss_coef, loss_agg_mode, ratio_type, seed"),
        losses,
        loss -> loss.info().summary());
  }

  @Override
  Map<String, Object> json(Named<PolicyLoss> named) {
    return LossReport.json(named.names(), named.plugin());
  }

  @Override
  Object page(Named<PolicyLoss> named, boolean json) {
    return json ? json(named) : LossReport.of(named.names(), named.plugin());
  }

  @Override
  Object tried(PolicyLoss loss, Path file, List<String> settings) {
    return LossTrial.of(loss, JsonBatch.read(file, LossTrial.COLUMNS), settings);
  }
}
