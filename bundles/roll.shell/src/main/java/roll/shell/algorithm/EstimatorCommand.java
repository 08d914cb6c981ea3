package roll.shell.algorithm;

import static org.osgi.service.component.annotations.ReferenceCardinality.MULTIPLE;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.estimator.AdvantageEstimator;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.syntax.PluginCatalog.Named;

/**
 * {@code estimator}: lists and shows advantage estimators, and computes the advantages of a batch.
 */
@Component(name = "roll.shell.estimator", service = Command.class)
@RollCommand(function = "estimator")
public final class EstimatorCommand extends AlgorithmCommand<AdvantageEstimator> {
  /** Creates the command with the estimators, each with its service properties. */
  @Activate
  public EstimatorCommand(
      @Reference(service = AdvantageEstimator.class, cardinality = MULTIPLE, policyOption = GREEDY)
          List<Map.Entry<Map<String, Object>, AdvantageEstimator>> estimators) {
    super(
        syntax(
            "estimator",
            "advantage estimators",
            "columns token_level_rewards, response_mask, and those that the estimator needs",
            "gamma, lambd, method, grouping, kl_coef, kl_penalty, whiten_advantages,"
                + " advantage_clip"),
        estimators,
        estimator -> estimator.info().summary());
  }

  @Override
  Map<String, Object> json(Named<AdvantageEstimator> named) {
    return EstimatorReport.json(named.names(), named.plugin().info());
  }

  @Override
  Object page(Named<AdvantageEstimator> named, boolean json) {
    var info = named.plugin().info();
    var result = new EstimatorTrial(named.plugin()).example();
    if (!json) {
      return EstimatorReport.of(named.names(), info, result);
    }
    Map<String, Object> page = json(named);
    page.put("example", EstimatorReport.batch(info.example()));
    page.put("gamma", info.example().gamma());
    page.put("lambd", info.example().lambda());
    page.put("result", result);
    return page;
  }

  @Override
  Object tried(AdvantageEstimator estimator, Path file, List<String> settings) {
    JsonBatch batch = JsonBatch.read(file, EstimatorTrial.columns());
    return new EstimatorTrial(estimator).of(batch, settings);
  }
}
