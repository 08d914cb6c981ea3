package roll.env.terminal;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * The numbers that tests write.
 *
 * @param reward empty if there is none, or if it is not a finite number
 * @param parts the numbers of {@code reward.json} by name
 */
record RewardFile(OptionalDouble reward, Map<String, Double> parts) {
  /** Absence of a number that can be read. */
  private static final RewardFile NONE = new RewardFile(OptionalDouble.empty(), Map.of());

  private static final String REWARD = "reward";
  private static final Pattern NAME = Pattern.compile("[\\w.:/ -]{1,100}");
  private static final int MOST = 1000;

  /** Copies the numbers. */
  RewardFile {
    parts = Map.copyOf(parts);
  }

  /** Parses {@code reward.txt}, a number. */
  static RewardFile ofText(String text) {
    try {
      double value = Double.parseDouble(text.strip());
      return Double.isFinite(value) ? new RewardFile(OptionalDouble.of(value), Map.of()) : NONE;
    } catch (NumberFormatException e) {
      return NONE;
    }
  }

  /**
   * Parses {@code reward.json}, an object of numbers and truth values: its {@code reward}, else the
   * mean of all, which is the share of passed tests if each has an entry.
   */
  static RewardFile ofJson(String text) {
    try {
      if (!(JsonParser.parseString(text) instanceof JsonObject object) || object.size() > MOST) {
        return NONE;
      }
      Map<String, Double> parts = new LinkedHashMap<>();
      for (Map.Entry<String, JsonElement> entry : object.entrySet()) {
        if (!(entry.getValue() instanceof JsonPrimitive part)
            || !NAME.matcher(entry.getKey()).matches()) {
          return NONE;
        }
        double value = part.isBoolean() ? (part.getAsBoolean() ? 1 : 0) : part.getAsDouble();
        if (!Double.isFinite(value)) {
          return NONE;
        }
        parts.put(entry.getKey(), value);
      }
      Double reward = parts.get(REWARD);
      return reward == null
          ? new RewardFile(
              parts.values().stream().mapToDouble(Double::doubleValue).average(), parts)
          : new RewardFile(OptionalDouble.of(reward), parts);
    } catch (JsonParseException | NumberFormatException | StackOverflowError e) {
      return NONE;
    }
  }
}
