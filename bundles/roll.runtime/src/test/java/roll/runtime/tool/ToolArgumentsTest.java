package roll.runtime.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;

class ToolArgumentsTest {
  private static final ToolSchema SEARCH =
      new ToolSchema(
          "search",
          "Looks things up.",
          Map.of(
              "type",
              "object",
              "properties",
              Map.of(
                  "query", Map.of("type", "string"),
                  "top_k", Map.of("type", "integer"),
                  "weight", Map.of("type", List.of("number", "null")),
                  "exact", Map.of("type", "boolean"),
                  "fields", Map.of("type", "array"),
                  "extra", Map.of("type", "object"),
                  "any", Map.of()),
              "required",
              List.of("query")));

  private static Optional<String> problem(Map<String, ?> arguments) {
    return ToolArguments.problem(SEARCH, ToolCall.of("search", arguments));
  }

  private static String wrong(String name, Object value) {
    return problem(Map.of("query", "x", name, value)).orElseThrow();
  }

  @Test
  void whatFitsIsCalled() {
    assertEquals(Optional.empty(), problem(Map.of("query", "x")));
    assertEquals(
        Optional.empty(),
        problem(
            Map.of(
                "query", "", "top_k", 3L, "weight", 2L, "exact", true, "fields", List.of(), "extra",
                Map.of(), "any", 1.5)));
    assertEquals(Optional.empty(), problem(Map.of("query", "x", "weight", 0.5)));
  }

  @Test
  void whatTheSchemaDoesNotNameIsRefused() {
    assertEquals(
        "Invalid argument \"q\" for tool search.", problem(Map.of("q", "x")).orElseThrow());
  }

  @Test
  void anOpenSchemaTakesWhatItDoesNotName() {
    ToolSchema open = new ToolSchema("t", "d", Map.of("additionalProperties", true));
    assertEquals(Optional.empty(), ToolArguments.problem(open, ToolCall.of("t", Map.of("q", 1L))));
    ToolSchema closed = new ToolSchema("t", "d", Map.of("additionalProperties", false));
    assertEquals(
        "Invalid argument \"q\" for tool t.",
        ToolArguments.problem(closed, ToolCall.of("t", Map.of("q", 1L))).orElseThrow());
  }

  @Test
  void whatIsRequiredMustBeThere() {
    assertEquals(
        "Missing argument \"query\" for tool search.", problem(Map.of("top_k", 3L)).orElseThrow());
  }

  @Test
  void typesAreThoseOfTheSchema() {
    assertEquals(
        "Invalid value for argument \"top_k\" of tool search: expected integer, found string.",
        wrong("top_k", "3"));
    assertEquals(
        "Invalid value for argument \"top_k\" of tool search: expected integer, found number.",
        wrong("top_k", 3.5));
    assertEquals(
        "Invalid value for argument \"weight\" of tool search: expected number or null, found"
            + " boolean.",
        wrong("weight", true));
    assertEquals(
        "Invalid value for argument \"exact\" of tool search: expected boolean, found integer.",
        wrong("exact", 1L));
    assertEquals(
        "Invalid value for argument \"fields\" of tool search: expected array, found object.",
        wrong("fields", Map.of()));
    assertEquals(
        "Invalid value for argument \"extra\" of tool search: expected object, found array.",
        wrong("extra", List.of()));
  }

  @Test
  void aCallThatCouldNotBeReadSaysWhy() {
    assertEquals(
        Optional.of("no JSON"),
        ToolArguments.problem(SEARCH, ToolCall.malformed("search", "no JSON")));
  }
}
