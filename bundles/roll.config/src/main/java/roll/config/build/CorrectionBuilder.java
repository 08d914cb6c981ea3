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
import roll.api.option.Option;
import roll.api.option.Options;
import roll.config.schema.Section;
import roll.config.tree.Tree;
import roll.runtime.option.YamlOptions;

/** Makes {@code train_infer_correction}. */
final class CorrectionBuilder {
  private static final String KEY = "train_infer_correction";

  /** What an entry of {@code filters} may have. */
  private static final List<Option<?>> FILTER =
      List.of(
          Option.flag("enabled", "whether it filters").withDefault(false),
          Option.text("agg_type", "level of what is bounded").withDefault("token"),
          Option.flag("ratio_enabled", "whether the ratio is bounded; true without kl"),
          Option.number("ratio_low", "least ratio").withDefault(0.8),
          Option.number("ratio_high", "largest ratio").withDefault(1.2),
          Option.flag("diff_enabled", "whether the difference is bounded").withDefault(false),
          Option.number("diff_low", "least difference").withDefault(-0.2),
          Option.number("diff_high", "largest difference").withDefault(0.2),
          Option.text("kl", "estimate of the divergence: k2, k3"),
          Option.number("kl_high", "largest divergence"));

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
      Options filter = YamlOptions.checked(section.where("filters") + "[" + i + "]", entry, FILTER);
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
