package roll.api.reward;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;

/** Reads the facts of an episode's task, such as the fields of a dataset row. */
public final class TaskFacts {
  private static final List<String> QUESTIONS =
      List.of("question", "problem", "instruction", "extra_info.question");

  private TaskFacts() {}

  /**
   * The fact at {@code path}, or null. A path is a name, or names joined by dots for nested
   * mappings, such as {@code reward_model.ground_truth}. A name that contains dots takes
   * precedence.
   */
  public static @Nullable Object at(Map<?, ?> facts, String path) {
    Object whole = facts.get(path);
    int dot = path.indexOf('.');
    if (whole != null || dot < 0) {
      return whole;
    }
    return facts.get(path.substring(0, dot)) instanceof Map<?, ?> inner
        ? at(inner, path.substring(dot + 1))
        : null;
  }

  /**
   * The question of an episode: its {@code question}, {@code problem}, {@code instruction} or
   * {@code extra_info.question}; empty if none of them is a nonblank text.
   */
  public static Optional<String> question(Trajectory episode) {
    return QUESTIONS.stream()
        .map(path -> at(episode.facts(), path))
        .filter(fact -> fact instanceof String text && !text.isBlank())
        .map(String.class::cast)
        .findFirst();
  }
}
