package roll.rollout.supervise;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Copies the facts of a task as plain JSON values. Rewards read them and they are written with the
 * trajectory; an object of a plugin's class could run arbitrary code there and keep its bundle in
 * memory.
 */
final class FactsSanitizer {
  private static final int DEEPEST = 32;
  private static final int MOST = 100_000;

  private int left = MOST;

  private FactsSanitizer() {}

  /**
   * Returns a copy of the task's {@code facts} as plain values.
   *
   * @throws EnvironmentException if there are too many, or a value is not a JSON value
   */
  static Map<String, Object> copy(Map<?, ?> facts) {
    return new FactsSanitizer().map(facts, 0);
  }

  private Map<String, Object> map(Map<?, ?> map, int depth) {
    Map<String, Object> copy = new LinkedHashMap<>();
    map.forEach((key, value) -> copy.put(text(String.valueOf(key)), value(value, depth)));
    return copy;
  }

  private @Nullable Object value(@Nullable Object value, int depth) {
    if (--left < 0 || depth > DEEPEST) {
      throw EnvironmentException.invalid(
          "facts", "more than %,d values, or deeper than %d".formatted(MOST, DEEPEST));
    }
    return switch (value) {
      case null -> null;
      case String text -> text(text);
      case Boolean flag -> flag;
      case Integer _, Long _, Double _, Float _, Short _, Byte _ -> value;
      case java.math.BigInteger _, java.math.BigDecimal _ -> value;
      case Map<?, ?> map -> map(map, depth + 1);
      case Collection<?> several -> list(several, depth + 1);
      case Object[] several -> list(List.of(several), depth + 1);
      case int[] _, long[] _, double[] _, float[] _, boolean[] _ -> value;
      default ->
          throw EnvironmentException.invalid(
              "facts",
              value.getClass().getName()
                  + " (allowed: texts, numbers, booleans, lists and maps of them)");
    };
  }

  private List<@Nullable Object> list(Collection<?> several, int depth) {
    List<@Nullable Object> copy = new ArrayList<>();
    for (Object value : several) {
      copy.add(value(value, depth));
    }
    return copy;
  }

  private static String text(String text) {
    return SupervisedEpisode.text("facts", text);
  }
}
