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
 * Search, filter and order of the episodes of a file.
 *
 * @param text in id, answer, finish or messages, case-insensitive; empty for all episodes
 * @param filter one of {@link #FILTERS}
 * @param sort one of {@link #SORTS}
 */
record EpisodeQuery(String text, String filter, String sort) {
  /** Allowed filters of the episode query. */
  static final List<String> FILTERS = List.of("all", "failed", "solved");

  /** Allowed orders: by group as in the file, or the maximum of a value first. */
  static final List<String> SORTS = List.of("group", "score", "longest", "surprising");

  /**
   * Checks filter and order.
   *
   * @throws UserException if one is unknown
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

  /** Returns the matching episodes of {@code index}; equal ones in the order of the file. */
  List<EpisodeSummary> of(StepIndex index) throws IOException {
    List<EpisodeSummary> found = new ArrayList<>();
    String wanted = text.toLowerCase(Locale.ROOT);
    for (EpisodeSummary episode : index.episodes()) {
      if (passes(episode) && (wanted.isEmpty() || contains(index, episode, wanted))) {
        found.add(episode);
      }
    }
    Comparator<EpisodeSummary> order = order();
    if (order != null) {
      found.sort(order);
    }
    return found;
  }

  private boolean passes(EpisodeSummary episode) {
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
    return line != null
        && EpisodeLine.messageTexts(line).anyMatch(message -> contains(message, wanted));
  }

  private static boolean contains(@Nullable String text, String wanted) {
    return text != null && text.toLowerCase(Locale.ROOT).contains(wanted);
  }

  private @Nullable Comparator<EpisodeSummary> order() {
    return switch (sort) {
      case "score" -> descending(EpisodeSummary::score);
      case "longest" -> descending(EpisodeSummary::written);
      case "surprising" -> descending(e -> e.surprise() == null ? Double.NaN : e.surprise());
      default -> null;
    };
  }

  /** Orders by descending number, NaN last. */
  private static Comparator<EpisodeSummary> descending(ToDoubleFunction<EpisodeSummary> number) {
    return Comparator.comparingDouble(
        (EpisodeSummary episode) -> {
          double value = number.applyAsDouble(episode);
          return Double.isNaN(value) ? Double.POSITIVE_INFINITY : -value;
        });
  }
}
