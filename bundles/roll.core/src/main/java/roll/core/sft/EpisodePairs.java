package roll.core.sft;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.dataset.Row;
import roll.api.option.UserException;

/**
 * Pairs from the episodes of rollouts: of each group, whose episodes begin alike, the one with the
 * highest score is chosen and the one with the lowest rejected.
 */
final class EpisodePairs {
  private final Function<Row, List<Demonstration>> episodes;
  private final Map<List<?>, Group> groups = new LinkedHashMap<>();

  /** Creates the pairs of episodes that {@code episodes} reads, each as its samples. */
  EpisodePairs(Function<Row, List<Demonstration>> episodes) {
    this.episodes = episodes;
  }

  private record Group(Episode best, Episode worst) {
    private Group with(Episode one) {
      return new Group(one.score > best.score ? one : best, one.score < worst.score ? one : worst);
    }
  }

  private record Episode(Row row, double score) {}

  /** Adds the episode {@code row} to its group. */
  void add(Row row) {
    if (!(row.fields().get("score") instanceof Number score)) {
      throw new UserException(row.where() + ": 'score' is missing, by which episodes are compared");
    }
    Episode one = new Episode(row, score.doubleValue());
    List<@Nullable Object> key = new ArrayList<>();
    key.add(row.file());
    for (String part : List.of("tag", "group", "episode")) {
      key.add(row.fields().get(part));
    }
    groups.merge(key, new Group(one, one), (group, added) -> group.with(one));
  }

  /** Returns the pairs; groups without one are counted in {@code left}. */
  List<Preference> pairs(LeftOut left) {
    List<Preference> pairs = new ArrayList<>();
    for (Group group : groups.values()) {
      String where = group.best.row.where();
      if (group.best.score == group.worst.score) {
        left.add("groups of episodes with equal scores", where);
        continue;
      }
      List<Demonstration> chosen = episodes.apply(group.best.row);
      List<Demonstration> rejected = episodes.apply(group.worst.row);
      if (chosen.size() != 1 || rejected.size() != 1) {
        left.add("groups with episodes of several samples or none", where);
      } else {
        pairs.add(Preference.pair(chosen.getFirst(), rejected.getFirst()));
      }
    }
    return pairs;
  }
}
