package roll.reward.data_source;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import com.google.gson.reflect.TypeToken;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.option.UserException;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardModels;

/**
 * Inputs and expected outputs in APPS's format: a mapping, or JSON, with {@code inputs} and {@code
 * outputs}.
 *
 * @param cases mappings with {@code input} and {@code output}
 */
record StandardTests(List<Map<String, String>> cases) {
  /** Number of first tests that count for a program that does not pass all. */
  private static final int FIRST = 10;

  /**
   * Parses the test cases of the known answer {@code truth}.
   *
   * @param place path of the task, for messages
   * @throws UserException if there are none, or they call a function
   */
  static StandardTests of(@Nullable Object truth, String place) {
    Map<String, Object> tests = mapping(truth);
    if (tests.get("fn_name") != null) {
      throw new UserException(
          place
              + ": reward_model.ground_truth: tests that call a function (fn_name) are not"
              + " supported; only tests with inputs and outputs are");
    }
    if (!(tests.get("inputs") instanceof List<?> inputs)
        || !(tests.get("outputs") instanceof List<?> outputs)
        || inputs.size() != outputs.size()
        || inputs.isEmpty()) {
      throw new UserException(
          place
              + ": reward_model.ground_truth: expected a mapping with the lists inputs and outputs"
              + " of equal length");
    }
    List<Map<String, String>> cases = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      cases.add(Map.of("input", text(inputs.get(i)), "output", text(outputs.get(i))));
    }
    return new StandardTests(List.copyOf(cases));
  }

  private static Map<String, Object> mapping(@Nullable Object truth) {
    Map<String, Object> tests = new LinkedHashMap<>();
    if (truth instanceof Map<?, ?> given) {
      given.forEach((key, value) -> tests.put(String.valueOf(key), value));
    } else if (truth instanceof String json) {
      try {
        Map<String, Object> read =
            new Gson().fromJson(json, new TypeToken<Map<String, Object>>() {}.getType());
        if (read != null) {
          tests.putAll(read);
        }
      } catch (JsonParseException e) {
        return tests; // refused as a test without inputs
      }
    }
    return tests;
  }

  /** Returns {@code value} as text; a list is joined as lines. */
  private static String text(@Nullable Object value) {
    return value instanceof List<?> lines
        ? String.join("\n", lines.stream().map(String::valueOf).toList())
        : String.valueOf(value);
  }

  /**
   * Returns 1 for a program that passes all tests, otherwise the share of the first ones passed.
   */
  Grade grade(Reward code, Trajectory episode, RewardModels models) throws InterruptedException {
    Grade all = code.grade(asking(episode, cases), models);
    return all.score() == 1 || cases.size() <= FIRST
        ? all
        : code.grade(asking(episode, cases.subList(0, FIRST)), models);
  }

  private static Trajectory asking(Trajectory episode, List<Map<String, String>> cases) {
    return episode.withFacts(Map.of("tests", cases));
  }
}
