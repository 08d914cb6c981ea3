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
import roll.config.tree.YamlTree;
import roll.runtime.option.YamlOptions;

/** Builds the configuration of {@code train_infer_correction}. */
final class CorrectionBuilder {
  private static final String KEY = "train_infer_correction";

  private static final Option<Boolean> ENABLED =
      Option.flag("enabled", "whether it filters").withDefault(false);
  private static final Option<String> AGG_TYPE =
      Option.choice(
              "agg_type",
              List.of("token", "segment", "geometric", "sequence", "max"),
              "level of what is bounded")
          .withDefault("token");
  private static final Option<Boolean> RATIO_ENABLED =
      Option.flag("ratio_enabled", "whether the ratio is bounded; true without kl");
  private static final Option<Double> RATIO_LOW =
      Option.number("ratio_low", 0, Double.MAX_VALUE, "least ratio").withDefault(0.8);
  private static final Option<Double> RATIO_HIGH =
      Option.number("ratio_high", "largest ratio").withDefault(1.2);
  private static final Option<Boolean> DIFF_ENABLED =
      Option.flag("diff_enabled", "whether the difference is bounded").withDefault(false);
  private static final Option<Double> DIFF_LOW =
      Option.number("diff_low", "least difference").withDefault(-0.2);
  private static final Option<Double> DIFF_HIGH =
      Option.number("diff_high", "largest difference").withDefault(0.2);
  private static final Option<String> KL =
      Option.choice("kl", List.of("k2", "k3"), "estimate of the divergence");
  private static final Option<Double> KL_HIGH =
      Option.number("kl_high", 0, Double.MAX_VALUE, "largest divergence");

  /** Allowed options of an entry of {@code filters}. */
  private static final List<Option<?>> FILTER =
      List.of(
          ENABLED,
          AGG_TYPE,
          RATIO_ENABLED,
          RATIO_LOW,
          RATIO_HIGH,
          DIFF_ENABLED,
          DIFF_LOW,
          DIFF_HIGH,
          KL,
          KL_HIGH);

  private final Section run;

  /** Creates a correction builder for {@code run}. */
  CorrectionBuilder(Section run) {
    this.run = run;
  }

  /** Builds the correction; parts that are not enabled are absent. */
  TrainInferCorrection build() {
    if (!run.has(KEY)) {
      return TrainInferCorrection.NONE;
    }
    Section section = run.section(KEY);
    Section weight = section.section("is_weight");
    List<Filter> filters = new ArrayList<>();
    List<@Nullable Object> entries =
        Objects.requireNonNull(YamlTree.list(section.value("filters")));
    for (int i = 0; i < entries.size(); i++) {
      Map<String, @Nullable Object> entry = YamlTree.mapping(entries.get(i));
      if (entry == null) {
        throw section.wrong("filters", "a list of mappings");
      }
      Options filter = YamlOptions.checked(section.where("filters") + "[" + i + "]", entry, FILTER);
      if (filter.get(ENABLED)) {
        filters.add(filter(filter));
      }
    }
    return new TrainInferCorrection(
        weight.flag("enabled") ? weight(weight) : null,
        List.copyOf(filters),
        section.flag("current_log_probs"));
  }

  private static Weight weight(Section weight) {
    Double low = weight.numberOrNull("lower_bound");
    double high = weight.number("upper_bound");
    if (low != null && low > high) {
      throw weight.wrong("lower_bound", "a number of at most " + high + ", the upper_bound");
    }
    return new Weight(level(weight.text("weight_type")), low, high, weight.flag("batch_normalize"));
  }

  private static Filter filter(Options options) {
    boolean ratio = options.find(RATIO_ENABLED).orElse(!options.has(KL));
    boolean difference = options.get(DIFF_ENABLED);
    String level = options.get(AGG_TYPE);
    if (level.equals("max") && (ratio || difference || !options.has(KL))) {
      throw options.wrong(AGG_TYPE, "one of token, segment, geometric, sequence");
    }
    return new Filter(
        level(level),
        ratio ? range(options, RATIO_LOW, RATIO_HIGH) : null,
        difference ? range(options, DIFF_LOW, DIFF_HIGH) : null,
        options.has(KL) ? divergence(options) : null);
  }

  private static Divergence divergence(Options options) {
    String kind = options.get(KL).toUpperCase(Locale.ROOT);
    return new Divergence(Estimate.valueOf(kind), options.get(KL_HIGH));
  }

  private static Range range(Options options, Option<Double> least, Option<Double> most) {
    double low = options.get(least);
    double high = options.get(most);
    if (high < low) {
      throw options.wrong(most, "a number of at least " + low);
    }
    return new Range(low, high);
  }

  private static Level level(String word) {
    return Level.valueOf(word.toUpperCase(Locale.ROOT));
  }
}
