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

/** Chooses the metric that the runs of a sweep are compared by. */
final class MetricChoice {
  private static final Pattern SUCCESS = Pattern.compile("val/env/.+/success");
  private static final List<String> OTHERS =
      List.of("val/score/mean", "rollout/score/mean", "sft/val_loss", "sft/loss");
  private static final Pattern LEAST =
      Pattern.compile("loss|nll|kl\\b|perplexity|error|^time/|^memory/|/time_|_time\\b");
  private static final List<String> FIRST = List.of("val/", "rollout/score", "env/", "sft/");
  private static final int NAMED = 12;

  private MetricChoice() {}

  /** Returns whether {@code metric} may be chosen by default. */
  static boolean isDefault(String metric) {
    return SUCCESS.matcher(metric).matches() || OTHERS.contains(metric);
  }

  /**
   * Returns the default metric: validation success if there is one environment, else the mean
   * score, else the loss of supervised runs; null if there is none of these.
   *
   * @param names of the metrics of all runs
   */
  static @Nullable String defaultOf(Set<String> names) {
    List<String> success = names.stream().filter(SUCCESS.asMatchPredicate()).toList();
    return success.size() == 1
        ? success.getFirst()
        : OTHERS.stream().filter(names::contains).findFirst().orElse(null);
  }

  /** Returns whether lower values of {@code metric} are better. */
  static boolean lowerIsBetter(String metric) {
    return LEAST.matcher(metric.toLowerCase(Locale.ROOT)).find();
  }

  /**
   * Checks that a run has {@code metric}.
   *
   * @param names of the metrics of all runs
   * @throws UserException with the known metrics, if none has it
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
                names.size() > NAMED ? ", … (%d in total)".formatted(names.size()) : ""));
  }
}
