package roll.sweep;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.text.Suggestion;

/** Which metric the runs of a sweep are compared by. */
final class MetricChoice {
  private static final Pattern SUCCESS = Pattern.compile("val/env/.+/success");
  private static final List<String> OTHERS =
      List.of("val/score/mean", "rollout/score/mean", "sft/val_loss", "sft/loss");
  private static final Pattern LEAST =
      Pattern.compile("loss|nll|kl\\b|perplexity|error|^time/|^memory/|/time_|_time\\b");
  private static final List<String> FIRST = List.of("val/", "rollout/score", "env/", "sft/");
  private static final int NAMED = 12;

  private MetricChoice() {}

  /** Whether {@code metric} may be chosen where nobody names one. */
  static boolean standard(String metric) {
    return SUCCESS.matcher(metric).matches() || OTHERS.contains(metric);
  }

  /**
   * The success on validation where it is of one environment, otherwise the mean score; of a warm
   * start the loss. Null where there is none of these.
   *
   * @param names of the metrics of all runs
   */
  static @Nullable String standard(Set<String> names) {
    List<String> success = names.stream().filter(SUCCESS.asMatchPredicate()).toList();
    return success.size() == 1
        ? success.getFirst()
        : OTHERS.stream().filter(names::contains).findFirst().orElse(null);
  }

  /** Whether the best value of {@code metric} is the least one. */
  static boolean least(String metric) {
    return LEAST.matcher(metric.toLowerCase(Locale.ROOT)).find();
  }

  /**
   * Sees that a run has {@code metric}.
   *
   * @param names of the metrics of all runs
   * @throws UserException naming those that there are
   */
  static void require(Path folder, String metric, Set<String> names) {
    if (names.contains(metric)) {
      return;
    }
    if (names.isEmpty()) {
      throw new UserException(
          "sweep: --metric: no run in %s has written metrics".formatted(folder));
    }
    String near = Suggestion.near(metric, names);
    List<String> first =
        Stream.concat(
                FIRST.stream().flatMap(p -> names.stream().filter(name -> name.startsWith(p))),
                names.stream().filter(name -> FIRST.stream().noneMatch(name::startsWith)))
            .limit(NAMED)
            .toList();
    throw new UserException(
        "sweep: --metric: no run has '%s'%s%s%s"
            .formatted(
                metric,
                near.isEmpty() ? "; known: " : near + " Known: ",
                String.join(", ", first),
                names.size() > NAMED ? ", … (%d in all)".formatted(names.size()) : ""));
  }
}
