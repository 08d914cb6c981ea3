package roll.config.build;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.loss.TrainInferCorrection;
import roll.api.loss.TrainInferCorrection.Divergence;
import roll.api.loss.TrainInferCorrection.Estimate;
import roll.api.loss.TrainInferCorrection.Filter;
import roll.api.loss.TrainInferCorrection.Level;
import roll.api.loss.TrainInferCorrection.Range;
import roll.api.loss.TrainInferCorrection.Weight;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.config.schema.Section;
import roll.config.tree.Tree;

/** Makes {@code train_infer_correction}. */
final class CorrectionBuilder {
  private static final String KEY = "train_infer_correction";

  /** What an entry of {@code filters} may have. */
  private static final List<OptionInfo> FILTER =
      List.of(
          new OptionInfo("enabled", OptionInfo.Type.BOOLEAN, false, "whether it filters"),
          new OptionInfo("agg_type", OptionInfo.Type.TEXT, "token", "level of what is bounded"),
          new OptionInfo(
              "ratio_enabled",
              OptionInfo.Type.BOOLEAN,
              null,
              "whether the ratio is bounded; true without kl"),
          new OptionInfo("ratio_low", OptionInfo.Type.NUMBER, 0.8, "least ratio"),
          new OptionInfo("ratio_high", OptionInfo.Type.NUMBER, 1.2, "largest ratio"),
          new OptionInfo(
              "diff_enabled", OptionInfo.Type.BOOLEAN, false, "whether the difference is bounded"),
          new OptionInfo("diff_low", OptionInfo.Type.NUMBER, -0.2, "least difference"),
          new OptionInfo("diff_high", OptionInfo.Type.NUMBER, 0.2, "largest difference"),
          new OptionInfo("kl", OptionInfo.Type.TEXT, null, "estimate of the divergence: k2, k3"),
          new OptionInfo("kl_high", OptionInfo.Type.NUMBER, null, "largest divergence"));

  private final Section run;

  /** For {@code run}. */
  CorrectionBuilder(Section run) {
    this.run = run;
  }

  /** The correction; what is not enabled is not in it. */
  TrainInferCorrection build() {
    if (!run.has(KEY)) {
      return TrainInferCorrection.NONE;
    }
    Section section = run.section(KEY);
    Section weight = section.section("is_weight");
    List<Filter> filters = new ArrayList<>();
    List<@Nullable Object> entries = Objects.requireNonNull(Tree.list(section.value("filters")));
    for (int i = 0; i < entries.size(); i++) {
      Map<String, @Nullable Object> entry = Tree.mapping(entries.get(i));
      if (entry == null) {
        throw section.wrong("filters", "a list of mappings");
      }
      Options filter = Options.of(section.where("filters") + "[" + i + "]", entry, FILTER);
      if (filter.flag("enabled")) {
        filters.add(filter(filter));
      }
    }
    return new TrainInferCorrection(
        weight.flag("enabled")
            ? new Weight(
                level(weight.text("weight_type")),
                weight.number("upper_bound"),
                weight.flag("batch_normalize"))
            : null,
        List.copyOf(filters));
  }

  private static Filter filter(Options options) {
    boolean ratio =
        options.has("ratio_enabled") ? options.flag("ratio_enabled") : !options.has("kl");
    boolean difference = options.flag("diff_enabled");
    String level =
        options.has("kl") && !ratio && !difference
            ? options.word("agg_type", "token", "segment", "geometric", "sequence", "max")
            : options.word("agg_type", "token", "segment", "geometric", "sequence");
    return new Filter(
        level(level),
        ratio ? range(options, "ratio", 0) : null,
        difference ? range(options, "diff", -Double.MAX_VALUE) : null,
        options.has("kl") ? divergence(options) : null);
  }

  private static Divergence divergence(Options options) {
    String kind = options.word("kl", "k2", "k3").toUpperCase(Locale.ROOT);
    return new Divergence(Estimate.valueOf(kind), options.number("kl_high", 0, Double.MAX_VALUE));
  }

  private static Range range(Options options, String name, double least) {
    double low = options.number(name + "_low", least, Double.MAX_VALUE);
    return new Range(low, options.number(name + "_high", low, Double.MAX_VALUE));
  }

  private static Level level(String word) {
    return Level.valueOf(word.toUpperCase(Locale.ROOT));
  }
}
