package roll.api.reward;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;

/** Reads the facts of an episode's task: the fields of a question's row. */
public final class Facts {
  private static final List<String> QUESTIONS =
      List.of("question", "problem", "instruction", "extra_info.question");

  private Facts() {}

  /**
   * The fact at {@code path}, or null: a name, or names with dots between that lead through
   * mappings, such as {@code reward_model.ground_truth}. A name with dots in it comes first.
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
   * {@code extra_info.question}; empty where none of them is a text that says something.
   */
  public static Optional<String> question(Trajectory episode) {
    return QUESTIONS.stream()
        .map(path -> at(episode.facts(), path))
        .filter(fact -> fact instanceof String text && !text.isBlank())
        .map(String.class::cast)
        .findFirst();
  }
}
