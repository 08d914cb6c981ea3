package roll.shell.algorithm;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import roll.api.data.Layout;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.PolicyLoss;
import roll.math.LossExample;
import roll.runtime.option.LossOptions;
import roll.shell.syntax.OptionText;
import roll.shell.terminal.SectionedText;
import roll.shell.terminal.Table;

/** The output of {@code loss show}, also as JSON. */
final class LossReport {
  private static final String SHARED =
      "loss = Σ w L + Σ w (kl_loss_coef · KL − entropy_loss_coef · H), w by loss_agg_mode";

  private LossReport() {}

  /** Returns formula, paper, options, and the loss and gradient of a small batch. */
  static String of(List<String> names, PolicyLoss loss) {
    LossInfo info = loss.info();
    return new SectionedText(names.getFirst() + ": " + info.summary())
        .add("also called", String.join(", ", names.subList(1, names.size())))
        .add("formula", info.formula() + "\n" + SHARED)
        .add("paper", info.paper())
        .add("reads", String.join(", ", info.reads().stream().sorted().toList()))
        .add("options, in pg_variant_args", OptionText.of(info.options()))
        .add("example, with clips of 0.2 and token-mean", example(loss))
        .toString();
  }

  /** Returns the fields of {@code list --json} and {@code show --json}. */
  static Map<String, Object> json(List<String> names, PolicyLoss loss) {
    LossInfo info = loss.info();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", names.getFirst());
    json.put("names", names);
    json.put("summary", info.summary());
    json.put("formula", info.formula());
    json.put("paper", info.paper());
    json.put("reads", info.reads().stream().sorted().toList());
    json.put("options", OptionText.json(info.options()));
    json.put("example", computed(loss));
    return json;
  }

  private static LossTrial.Line computed(PolicyLoss loss) {
    LossInput input = LossExample.of(LossExample.settings("example"));
    return LossTrial.line(
        input,
        loss.evaluateWhole(input, LossOptions.of(loss, input.settings()), new long[] {1, 2}));
  }

  private static String example(PolicyLoss loss) {
    LossInput input = LossExample.of(LossExample.settings("example"));
    LossTrial.Line line = computed(loss);
    Table table = new Table();
    table.row("", "good sample", "", "", "", "bad sample", "", "", "");
    row(table, "A", input.advantages(), input);
    row(table, "ℓ_old", input.policy().oldLogProbs(), input);
    row(table, "ℓ", input.policy().logProbs(), input);
    row(table, "gradient", Layout.cells(line.gradient()), input);
    return table + "\nloss  " + number(line.loss());
  }

  private static void row(Table table, String name, double[] cells, LossInput input) {
    String[] row = new String[cells.length + 1];
    Arrays.setAll(
        row, i -> i == 0 ? name : input.layout().mask()[i - 1] ? number(cells[i - 1]) : "-");
    table.row(row);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6f", value).replaceAll("\\.?0+$", "");
  }
}
