package roll.core.sft;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.dataset.Row;
import roll.api.option.UserException;
import roll.runtime.config.PreferenceConfig;
import roll.runtime.config.SftConfig;
import roll.text.chat.RowMessages;

/**
 * A row of preferences as messages: TRL's and ROLL's columns. A text is a message of the user or
 * the assistant.
 *
 * @param prompt messages before the answer
 * @param answers one with a label, or the chosen and the rejected one
 * @param desirable label of a single answer; true for a pair
 * @param margin of a pair in the row's {@code margin} (TRL); 0 without it
 */
record PreferenceRow(
    List<Map<String, @Nullable Object>> prompt,
    List<List<Map<String, @Nullable Object>>> answers,
    boolean desirable,
    double margin) {
  /** Reads {@code row}; null if it has no pair, and no answer with a label. */
  static @Nullable PreferenceRow of(Row row, SftConfig config) {
    PreferenceConfig keys = Objects.requireNonNull(config.preference(), "preference");
    String field = ChatRow.present(row, config.promptKey(), ChatRow.PROMPTS);
    List<Map<String, @Nullable Object>> prompt =
        field == null || !has(row, field)
            ? List.of()
            : ChatRow.prompt(row, field, config.context());
    if (has(row, keys.chosenKey()) && has(row, keys.rejectedKey())) {
      var chosen = ChatRow.side(row, keys.chosenKey(), "assistant");
      var rejected = ChatRow.side(row, keys.rejectedKey(), "assistant");
      boolean listed = RowMessages.is(row.fields().get(keys.chosenKey()));
      // as in extract_prompt of huggingface/trl@f2cd577:trl/data_utils.py#L557
      if (listed && (field == null || !RowMessages.is(row.fields().get(field)))) {
        int same = common(chosen, rejected);
        prompt = ChatRow.behindSystem(row, chosen.subList(0, same), config.context());
        chosen = chosen.subList(same, chosen.size());
        rejected = rejected.subList(same, rejected.size());
      }
      return prompt.isEmpty()
          ? null
          : new PreferenceRow(prompt, List.of(chosen, rejected), true, margin(row));
    }
    Boolean label = label(row, keys.labelKey());
    return prompt.isEmpty() || label == null || !has(row, config.responseKey())
        ? null
        : new PreferenceRow(
            prompt, List.of(ChatRow.side(row, config.responseKey(), "assistant")), label, 0);
  }

  private static boolean has(Row row, String key) {
    return row.fields().get(key) != null;
  }

  /** Returns the number of messages with which both conversations begin; one differs. */
  private static int common(List<?> chosen, List<?> rejected) {
    int most = Math.min(chosen.size(), rejected.size()) - 1;
    int same = 0;
    while (same < most && chosen.get(same).equals(rejected.get(same))) {
      same++;
    }
    return same;
  }

  private static double margin(Row row) {
    Object margin = row.fields().get("margin");
    if (margin == null) {
      return 0;
    }
    if (margin instanceof Number number && Double.isFinite(number.doubleValue())) {
      return number.doubleValue();
    }
    throw new UserException(
        "%s: margin: expected a number, found %s".formatted(row.where(), margin));
  }

  private static @Nullable Boolean label(Row row, String key) {
    Object label = row.fields().get(key);
    if (label == null || label instanceof Boolean) {
      return (Boolean) label;
    }
    if (label instanceof Number number
        && (number.doubleValue() == 0 || number.doubleValue() == 1)) {
      return number.doubleValue() == 1;
    }
    throw new UserException(
        "%s: %s: expected true or false, found %s".formatted(row.where(), key, label));
  }
}
