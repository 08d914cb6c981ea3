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
import roll.api.estimator.AdvantageEstimator;
import roll.shell.Syntax.Option;
import roll.shell.Syntax.Word;

/**
 * {@code estimator}: which advantage estimators are registered, what each computes, and what it
 * gives for a batch. A new or lost estimator makes a new instance of this component.
 */
@Component(name = "roll.shell.estimator", service = EstimatorCommand.class)
@RollCommand(function = "estimator", description = EstimatorCommand.SUMMARY)
public final class EstimatorCommand {
  static final String SUMMARY =
      "Lists advantage estimators, shows one, or computes a batch: estimator list, show <id>,"
          + " try <id> <batch.json>.";
  private static final Syntax SYNTAX =
      new Syntax(
          "estimator",
          SUMMARY,
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
          List.of(Option.flag("--json", "print list or show as a line of JSON")));

  private final Map<String, Named> estimators = new TreeMap<>();

  private record Named(List<String> names, AdvantageEstimator estimator) {}

  /** A command on these estimators, each with its service properties. */
  @Activate
  public EstimatorCommand(
      @Reference(
              service = AdvantageEstimator.class,
              cardinality = ReferenceCardinality.MULTIPLE,
              policyOption = ReferencePolicyOption.GREEDY)
          List<Map.Entry<Map<String, Object>, AdvantageEstimator>> estimators) {
    for (var estimator : estimators) {
      List<String> names = Ids.all(estimator.getKey().get("roll.estimator"));
      names.forEach(name -> this.estimators.put(name, new Named(names, estimator.getValue())));
    }
  }

  /** The list, all of one, or the advantages and returns of a batch as a line of JSON. */
  @Descriptor(SUMMARY)
  public String estimator(
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
      return show(find(given.word(1)), given.flag("--json"));
    }
    if (action.equals("try") && words >= 3) {
      JsonBatch batch = JsonBatch.read(Place.of(session, given.word(2)), EstimatorTrial.columns());
      return Json.line(
          new EstimatorTrial(find(given.word(1)).estimator()).of(batch, given.from(3)));
    }
    throw SYNTAX.wrong("expected list, show <id> or try <id> <batch.json> [key=value …]");
  }

  private String list(boolean json) {
    List<Named> all =
        estimators.entrySet().stream()
            .filter(e -> e.getKey().equals(e.getValue().names().getFirst()))
            .map(Map.Entry::getValue)
            .toList();
    if (json) {
      return Json.line(
          all.stream().map(n -> EstimatorPage.json(n.names(), n.estimator().info())).toList());
    }
    Table table = new Table().row("id", "computes", "also called");
    for (Named named : all) {
      table.row(
          named.names().getFirst(),
          named.estimator().info().summary(),
          String.join(", ", named.names().subList(1, named.names().size())));
    }
    return table.toString();
  }

  private static String show(Named named, boolean json) {
    var info = named.estimator().info();
    var result = new EstimatorTrial(named.estimator()).example();
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

  private Named find(String id) {
    Named found = estimators.get(id);
    if (found == null) {
      List<String> known = new ArrayList<>(estimators.keySet());
      throw new UserException(
          "estimator: no estimator '"
              + id
              + "' (registered: "
              + (known.isEmpty() ? "none" : String.join(", ", known))
              + ")"
              + Suggestion.near(id, known));
    }
    return found;
  }
}
