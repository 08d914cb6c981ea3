package roll.env.dataset;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.dataset.Row;

/** The choices of a multiple-choice question, as in the rows of MMLU, MMLU-Pro and ARC. */
final class QuestionChoices {
  private static final int MOST = 26;
  private static final List<String> KEYS = List.of("choices", "options");

  private QuestionChoices() {}

  /**
   * Returns lines with the choices of {@code row} behind letters, to follow {@code question}; an
   * empty text if it has none, or the question already contains them.
   */
  static String text(Row row, String question) {
    for (String key : KEYS) {
      List<String> choices = of(row.fields().get(key));
      if (!choices.isEmpty()) {
        return choices.stream().allMatch(question::contains) ? "" : lettered(choices);
      }
    }
    return "";
  }

  private static List<String> of(@Nullable Object field) {
    Object listed = field instanceof Map<?, ?> map ? map.get("text") : field;
    return listed instanceof List<?> list
            && list.size() > 1
            && list.size() <= MOST
            && list.stream().noneMatch(one -> one instanceof Map || one instanceof List)
        ? list.stream().map(String::valueOf).toList()
        : List.of();
  }

  private static String lettered(List<String> choices) {
    StringBuilder lines = new StringBuilder("\n");
    for (int i = 0; i < choices.size(); i++) {
      lines.append('\n').append((char) ('A' + i)).append(") ").append(choices.get(i));
    }
    return lines.toString();
  }
}
