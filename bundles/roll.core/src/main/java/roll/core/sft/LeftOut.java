package roll.core.sft;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Counts the rows that are not trained on, by reason, with the first row of each. */
final class LeftOut {
  private final Map<String, Rows> reasons = new LinkedHashMap<>();

  private record Rows(int count, String first) {}

  /** Counts a row at {@code where}, left out for {@code reason}. */
  void add(String reason, String where) {
    reasons.merge(reason, new Rows(1, where), (all, one) -> new Rows(all.count + 1, all.first));
  }

  /** Whether no row was left out. */
  boolean isEmpty() {
    return reasons.isEmpty();
  }

  /** Returns such as {@code 2 with equal answers (pairs.jsonl:7 …), 1 …}. */
  @Override
  public String toString() {
    return reasons.entrySet().stream()
        .map(
            reason ->
                "%d %s (%s%s)"
                    .formatted(
                        reason.getValue().count,
                        reason.getKey(),
                        reason.getValue().first,
                        reason.getValue().count > 1 ? " …" : ""))
        .collect(Collectors.joining(", "));
  }
}
