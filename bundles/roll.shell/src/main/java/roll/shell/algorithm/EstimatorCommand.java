package roll.shell.algorithm;

import static org.osgi.service.component.annotations.ReferenceCardinality.MULTIPLE;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.util.List;
import java.util.Map;
import org.apache.felix.service.command.CommandSession;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.estimator.AdvantageEstimator;
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
 * {@code estimator}: which advantage estimators are registered, what each computes, and what it
 * gives for a batch. A new or lost estimator makes a new instance of this component.
 */
@Component(name = "roll.shell.estimator", service = Command.class)
@RollCommand(function = "estimator")
public final class EstimatorCommand extends Command {
  /** How it is called. */
  static final Syntax SYNTAX =
      new Syntax(
          "estimator",
          "Lists advantage estimators, shows one, or computes a batch: estimator list, show <id>,"
              + " try <id> <batch.json>.",
          List.of(
              Word.one("list|show|try", "list all, show one with an example, or compute a batch"),
              Word.optional("id", "of the estimator"),
              Word.optional(
                  "batch.json",
                  "columns token_level_rewards, response_mask and what the estimator needs"),
              Word.any(
                  "key=value",
                  "gamma, lambd, method, grouping, kl_coef, kl_penalty, whiten_advantages,"
                      + " advantage_clip, or an option of the estimator")),
          List.of(Option.flag("--json", "print list or show as one line of JSON")));

  private final PluginCatalog<AdvantageEstimator> estimators;

  /** A command on these estimators, each with its service properties. */
  @Activate
  public EstimatorCommand(
      @Reference(service = AdvantageEstimator.class, cardinality = MULTIPLE, policyOption = GREEDY)
          List<Map.Entry<Map<String, Object>, AdvantageEstimator>> estimators) {
    super(SYNTAX);
    this.estimators = new PluginCatalog<>("estimator", estimators);
  }

  /** The list, all of one, or the advantages and returns of a batch as a line of JSON. */
  @Override
  protected String run(CommandSession session, Arguments given) {
    String action = given.word(0);
    int words = given.from(0).size();
    if (action.equals("list") && words == 1) {
      return list(given.flag("--json"));
    }
    if (action.equals("show") && words == 2) {
      return show(estimators.find(given.word(1)), given.flag("--json"));
    }
    if (action.equals("try") && words >= 3) {
      JsonBatch batch =
          JsonBatch.read(UserPath.of(session, given.word(2)), EstimatorTrial.columns());
      return Json.line(
          new EstimatorTrial(estimators.find(given.word(1)).plugin()).of(batch, given.from(3)));
    }
    throw SYNTAX.wrong("expected list, show <id> or try <id> <batch.json> [key=value …]");
  }

  private String list(boolean json) {
    return json
        ? Json.line(
            estimators.all().stream()
                .map(n -> EstimatorPage.json(n.names(), n.plugin().info()))
                .toList())
        : estimators.table(estimator -> estimator.info().summary());
  }

  private static String show(Named<AdvantageEstimator> named, boolean json) {
    var info = named.plugin().info();
    var result = new EstimatorTrial(named.plugin()).example();
    if (!json) {
      return EstimatorPage.of(named.names(), info, result);
    }
    Map<String, Object> page = EstimatorPage.json(named.names(), info);
    page.put("example", EstimatorPage.batch(info.example()));
    page.put("gamma", info.example().gamma());
    page.put("lambd", info.example().lambda());
    page.put("result", result);
    return Json.line(page);
  }
}
