package roll.shell.algorithm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.TokenRewards;
import roll.shell.syntax.OptionText;
import roll.shell.terminal.Json;
import roll.shell.terminal.SectionedText;

/** The output of {@code estimator show}, also as JSON. */
final class EstimatorReport {
  private EstimatorReport() {}

  /** Returns formula, paper, options and a computed example. */
  static String of(List<String> names, EstimatorInfo info, EstimatorTrial.Result result) {
    return new SectionedText(names.getFirst() + ": " + info.summary())
        .add("also called", String.join(", ", names.subList(1, names.size())))
        .add("formula", info.formula())
        .add("whitened", info.whitens() ? "yes, unless whiten_advantages is false" : "")
        .add("paper", info.paper())
        .add("needs", String.join(", ", needs(info)))
        .add("reads", String.join(", ", info.reads().stream().sorted().toList()))
        .add("options", OptionText.of(info.options()))
        .add("example", example(info.example(), result))
        .toString();
  }

  /** Returns the fields of {@code list --json} and {@code show --json}. */
  static Map<String, Object> json(List<String> names, EstimatorInfo info) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", names.getFirst());
    json.put("names", names);
    json.put("summary", info.summary());
    json.put("formula", info.formula());
    json.put("paper", info.paper());
    json.put("whitened", info.whitens());
    json.put("needs", needs(info));
    json.put("reads", info.reads().stream().sorted().toList());
    json.put("options", OptionText.json(info.options()));
    return json;
  }

  /** Returns the columns of an example as {@code try} reads them. */
  static Map<String, Object> batch(TokenRewards rewards) {
    Map<String, Object> batch = new LinkedHashMap<>();
    batch.put(Batch.TOKEN_REWARDS.name(), rows(rewards, rewards.rewards()));
    double[] mask = new double[rewards.layout().mask().length];
    Arrays.setAll(mask, t -> rewards.layout().mask()[t] ? 1 : 0);
    batch.put("response_mask", rows(rewards, mask));
    batch.put("index", rewards.groups());
    rewards
        .columns()
        .cells()
        .forEach(
            (key, cells) ->
                batch.put(
                    key.name(), key.perToken() ? rows(rewards, numbers(cells)) : numbers(cells)));
    return batch;
  }

  private static double[] numbers(Object cells) {
    return cells instanceof int[] numbers
        ? Arrays.stream(numbers).asDoubleStream().toArray()
        : (double[]) cells;
  }

  private static List<String> needs(EstimatorInfo info) {
    return info.needs().stream().map(ColumnKey::name).sorted().toList();
  }

  private static String example(TokenRewards rewards, EstimatorTrial.Result result) {
    List<String> lines = new ArrayList<>();
    batch(rewards).forEach((name, column) -> lines.add(name + " " + Json.line(column)));
    if (rewards.gamma() != 1 || rewards.lambda() != 1) {
      lines.add("gamma " + rewards.gamma() + ", lambd " + rewards.lambda());
    }
    lines.add("results in");
    lines.add("raw_advantages " + rounded(result.raw_advantages()));
    lines.add("advantages " + rounded(result.advantages()));
    lines.add("returns " + rounded(result.returns()));
    return String.join("\n", lines);
  }

  private static double[][] rows(TokenRewards rewards, double[] cells) {
    return JsonBatch.rows(cells, rewards.layout().offsets());
  }

  private static String rounded(double[][] rows) {
    double[][] rounded =
        Arrays.stream(rows)
            .map(row -> Arrays.stream(row).map(x -> Math.rint(x * 1e6) / 1e6 + 0.0).toArray())
            .toArray(double[][]::new);
    return Json.line(rounded);
  }
}
