package roll.reward.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.env.TaskInfo;
import roll.api.option.UserException;
import roll.api.reward.RewardFunction;
import roll.testkit.RewardContract;

/** Calls of rows in the shape of the Berkeley Function Calling Leaderboard. */
class FunctionCallsRewardTest extends RewardContract {
  private static final String FUNCTIONS =
      """
      [{"name": "area", "description": "d", "parameters": {"type": "dict", "properties": {
          "base": {"type": "integer"}, "height": {"type": "float"}, "unit": {"type": "string"},
          "round": {"type": "boolean"}},
        "required": ["base", "height"]}},
       {"name": "route.plan", "description": "d", "parameters": {"type": "dict", "properties": {
          "stops": {"type": "array", "items": {"type": "string"}},
          "by": {"type": "dict", "properties": {"mode": {"type": "string"}}},
          "legs": {"type": "array", "items": {"type": "dict"}}},
        "required": ["stops"]}}]
      """;

  private static final String AREA =
      "[{\"area\": {\"base\": [10], \"height\": [5.0], \"unit\": [\"sq. units\", \"\"]}}]";

  private static final String ROUTE =
      """
      [{"route.plan": {"stops": [["Rome", "New York"]], "by": [{"mode": ["rail"], "class": ["", 1]}, ""],
        "legs": [[{"to": ["Oslo"]}], ""]}}]
      """;

  @Override
  protected RewardFunction function() {
    return new FunctionCallsReward();
  }

  @Override
  protected Map<String, Object> facts() {
    return Map.of("function", FUNCTIONS, "ground_truth", AREA);
  }

  private double score(String expected, String... calls) {
    StringBuilder response = new StringBuilder("So: ");
    for (String call : calls) {
      response.append("<tool_call>\n").append(call).append("\n</tool_call>\n");
    }
    return score(
        Map.of(),
        episode(response.toString())
            .withFacts(Map.of("function", FUNCTIONS, "ground_truth", expected)));
  }

  private static String call(String function, String arguments) {
    return "{\"name\": \"" + function + "\", \"arguments\": " + arguments + "}";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1 | {\"base\": 10, \"height\": 5}", // the optional parameter is omitted
        "1 | {\"height\": 5.0, \"base\": 10, \"unit\": \"SQ UNITS\"}",
        "0 | {\"base\": 10}", // a required one is missing
        "0 | {\"base\": 11, \"height\": 5}",
        "0 | {\"base\": \"10\", \"height\": 5}", // a text, not an integer
        "0 | {\"base\": 10.0, \"height\": 5}",
        "0 | {\"base\": 10, \"height\": 5, \"unit\": \"cm\"}",
        "0 | {\"base\": 10, \"height\": 5, \"round\": true}", // not expected
        "0 | {\"base\": 10, \"height\": 5, \"depth\": 1}", // no such parameter
      })
  void parametersAreComparedByTypeAndAllowedValues(double expected, String arguments) {
    assertEquals(expected, score(AREA, call("area", arguments)), arguments);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1 | {\"stops\": [\"rome\", \"New-York\"]}",
        "0 | {\"stops\": [\"New York\", \"Rome\"]}",
        "0 | {\"stops\": [\"Rome\"]}",
        "1 | {\"stops\": [\"Rome\", \"New York\"], \"by\": {\"mode\": \"Rail\"}}",
        "1 | {\"stops\": [\"Rome\", \"New York\"], \"by\": {\"mode\": \"rail\", \"class\": 1}}",
        "0 | {\"stops\": [\"Rome\", \"New York\"], \"by\": {\"class\": 1}}",
        "0 | {\"stops\": [\"Rome\", \"New York\"], \"by\": {\"mode\": \"rail\", \"seat\": 1}}",
        "1 | {\"stops\": [\"Rome\", \"New York\"], \"legs\": [{\"to\": \"Oslo\"}]}",
        "0 | {\"stops\": [\"Rome\", \"New York\"], \"legs\": [{\"to\": \"Rome\"}]}",
      })
  void listsAndMappingsAreComparedByElement(double expected, String arguments) {
    assertEquals(expected, score(ROUTE, call("route.plan", arguments)), arguments);
  }

  @Test
  void parallelCallsCountInAnyOrderAndOnce() {
    String two =
        "[{\"area\": {\"base\": [1], \"height\": [2]}}, {\"area\": {\"base\": [3], \"height\":"
            + " [4]}}]";
    String first = call("area", "{\"base\": 1, \"height\": 2}");
    String second = call("area", "{\"base\": 3, \"height\": 4}");
    assertEquals(1, score(two, second, first));
    assertEquals(0, score(two, first, first));
    assertEquals(0, score(two, first));
    assertEquals(0, score(two, first, second, first));
    assertEquals(0, score(two, first, "{\"name\": \"area\""), "malformed");
    assertEquals(0, score(two, call("route.plan", "{}"), second));
  }

  @Test
  void withoutExpectedCallsNoneIsRight() {
    assertEquals(1, score("[]"));
    assertEquals(0, score("[]", call("area", "{\"base\": 1, \"height\": 2}")));
  }

  @Test
  void rowsWithoutCallsOfTheirFunctionsAreRefused() {
    for (Object expected :
        List.of("none", "[{\"volume\": {}}]", "[{\"area\": {\"base\": 10}}]", "[[]]")) {
      TaskInfo task =
          new TaskInfo("b.json:2", Map.of("function", FUNCTIONS, "ground_truth", expected));
      String message =
          assertThrows(UserException.class, () -> reward(Map.of()).check(task)).getMessage();
      assertEquals(
          "b.json:2: no calls that rewards could grade by: expected a list of {function:"
              + " {parameter: [allowed values]}} as ground_truth, of functions in 'function'",
          message);
    }
    reward(Map.of()).check(new TaskInfo("b.json:1", facts()));
    assertThrows(UserException.class, () -> score(Map.of(), episode("none")));
  }
}
