package roll.ui.trajectory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * Which episodes of a file are listed, in which order.
 *
 * @param text that they contain somewhere in id, answer, finish or what was said, whatever the
 *     case; empty: all
 * @param filter one of {@link #FILTERS}
 * @param sort one of {@link #SORTS}
 */
record EpisodeQuery(String text, String filter, String sort) {
  /** All, those that failed, those that solved their task. */
  static final List<String> FILTERS = List.of("all", "failed", "solved");

  /** By group as in the file; the best, the longest, the most surprising first. */
  static final List<String> SORTS = List.of("group", "score", "longest", "surprising");

  /**
   * A query.
   *
   * @throws UserException if there is no such filter or order
   */
  EpisodeQuery {
    require("filter", filter, FILTERS);
    require("sort", sort, SORTS);
  }

  private static void require(String name, String value, List<String> allowed) {
    if (!allowed.contains(value)) {
      throw new UserException(
          "%s: expected one of %s, found '%s'".formatted(name, String.join(", ", allowed), value));
    }
  }

  /** The episodes of {@code index} that it is of, in its order; equal ones as in the file. */
  List<EpisodeSummary> of(StepIndex index) throws IOException {
    List<EpisodeSummary> found = new ArrayList<>();
    String wanted = text.toLowerCase(Locale.ROOT);
    for (EpisodeSummary episode : index.episodes()) {
      if (kept(episode) && (wanted.isEmpty() || contains(index, episode, wanted))) {
        found.add(episode);
      }
    }
    Comparator<EpisodeSummary> order = order();
    if (order != null) {
      found.sort(order);
    }
    return found;
  }

  private boolean kept(EpisodeSummary episode) {
    return switch (filter) {
      case "failed" -> !episode.solved();
      case "solved" -> episode.solved();
      default -> true;
    };
  }

  private static boolean contains(StepIndex index, EpisodeSummary episode, String wanted)
      throws IOException {
    if (contains(episode.id(), wanted)
        || contains(episode.finish(), wanted)
        || contains(episode.answer(), wanted)) {
      return true;
    }
    String line = index.line(episode.index());
    return line != null && EpisodeLine.said(line).anyMatch(said -> contains(said, wanted));
  }

  private static boolean contains(@Nullable String text, String wanted) {
    return text != null && text.toLowerCase(Locale.ROOT).contains(wanted);
  }

  private @Nullable Comparator<EpisodeSummary> order() {
    return switch (sort) {
      case "score" -> greatest(EpisodeSummary::score);
      case "longest" -> greatest(EpisodeSummary::written);
      case "surprising" -> greatest(e -> e.surprise() == null ? Double.NaN : e.surprise());
      default -> null;
    };
  }

  /** Not a number is last. */
  private static Comparator<EpisodeSummary> greatest(ToDoubleFunction<EpisodeSummary> number) {
    return Comparator.comparingDouble(
        (EpisodeSummary episode) -> {
          double value = number.applyAsDouble(episode);
          return Double.isNaN(value) ? Double.POSITIVE_INFINITY : -value;
        });
  }
}
