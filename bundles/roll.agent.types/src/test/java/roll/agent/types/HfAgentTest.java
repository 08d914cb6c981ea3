package roll.agent.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.agent.Reply;
import roll.api.tool.ToolCall;

class HfAgentTest {
  private static Reply read(String response) {
    return new HfAgent().read(response, List.of());
  }

  private static ToolCall only(String between) {
    Reply reply = read("<tool_call>" + between + "</tool_call>");
    assertTrue(reply.executed());
    assertEquals(1, reply.calls().size());
    return reply.calls().getFirst();
  }

  @Test
  void everyCallIsRead() {
    Reply reply =
        read(
            """
            Both at once.
            <tool_call>
            {"name": "search", "arguments": {"query": "Ada\\nLovelace", "top_k": 3}}
            </tool_call>
            <tool_call>{"arguments": "{\\"expression\\": \\"1+1\\"}",
            "name": "calculator"}</tool_call> and <tool_call>{"name": "now"}</tool_call>\
            """);
    assertEquals(
        List.of(
            ToolCall.of("search", Map.of("query", "Ada\nLovelace", "top_k", 3L)),
            ToolCall.of("calculator", Map.of("expression", "1+1")),
            ToolCall.of("now", Map.of())),
        reply.calls());
    assertTrue(reply.executed());
  }

  @Test
  void numbersKeepTheirKindAndNullIsLeftOut() {
    assertEquals(
        Map.of("a", 1L, "b", 1.0, "c", 1e20, "d", List.of(true), "e", Map.of("g", -0.0)),
        only("{\"name\": \"t\", \"arguments\": {\"a\": 1, \"b\": 1.0, \"c\":"
                + " 100000000000000000000, \"d\": [true, null], \"e\": {\"f\": null, \"g\":"
                + " -0.0}, \"h\": null}}")
            .arguments());
  }

  @Test
  void aCallEndsWithItsObject() {
    assertEquals(
        Map.of("content", "x</tool_call>y"),
        only("{\"name\": \"write\", \"arguments\": {\"content\": \"x</tool_call>y\"}}")
            .arguments());
  }

  @Test
  void aThoughtMakesNoCall() {
    String call = "<tool_call>{\"name\": \"now\"}</tool_call>";
    assertEquals(Reply.ANSWER, read("<think>I could " + call + " but no</think>\nIt is 7."));
    assertEquals(
        List.of(ToolCall.of("now", Map.of())), read("maybe " + call + "</think>" + call).calls());
  }

  @Test
  void noCallIsTheAnswer() {
    assertEquals(Reply.ANSWER, read("It is </tool_call> 42."));
    assertFalse(read("42").executed());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | nothing is written",
        "{\"name\": \"t\" | the JSON ends too early",
        "{'name': 't'} | the JSON is malformed at line 1 column 3",
        "{\"name\": \"t\", \"arguments\": {\"a\": NaN}} | the JSON is malformed at line 1 column"
            + " 34",
        "{\"name\": \"t\", \"arguments\": {\"a\": 1e999}} | the JSON is malformed",
        "[{\"name\": \"t\"}] | an array is written",
        "\"t\" | a string is written",
        "null | null is written",
        "{\"name\": \"t\"} {} | the JSON is malformed at line 1 column 16",
        "{\"name\": 5} | \"name\" is missing or no text",
        "{\"arguments\": {}} | \"name\" is missing or no text",
        "{\"name\": \"t\", \"arguments\": [1]} | \"arguments\" is no object",
        "{\"name\": \"t\", \"arguments\": \"[1]\"} | in \"arguments\" an array is written",
      })
  void whatIsNoCallSaysWhy(String between, String why) {
    assertEquals(
        "Invalid input: " + why + ", input must be a valid JSON object.", only(between).problem());
  }

  @Test
  void aCallWithWrongArgumentsStillNamesItsTool() {
    assertEquals("t", only("{\"name\": \"t\", \"arguments\": 1}").tool());
  }

  @Test
  void aLastCallWithoutItsEndIsMalformed() {
    List<ToolCall> calls =
        read("<tool_call>{\"name\": \"a\"}</tool_call>\n<tool_call>{\"name\": \"b\"}").calls();
    assertEquals(ToolCall.of("a", Map.of()), calls.getFirst());
    assertEquals(
        "Invalid input: <tool_call> without </tool_call>, input must be a valid JSON object.",
        calls.get(1).problem());
  }

  @Test
  void callsAreWrittenAsPythonWritesThem() {
    Map<String, Object> arguments = new LinkedHashMap<>();
    arguments.put("query", "Zürich \"漢字\"\n<b>'&=</b></tool_call>");
    arguments.put("n", List.of(1L, 0.5, 1e7, 1e20, 1.5e-7, 123456.75));
    arguments.put("o", Map.of());
    assertEquals(
        "Look.\n<tool_call>\n{\"name\": \"search\", \"arguments\": {\"query\": \"Zürich"
            + " \\\"漢字\\\"\\n<b>'&=<\\/b><\\/tool_call>\", \"n\": [1, 0.5, 10000000.0, 1e+20,"
            + " 1.5e-07, 123456.75], \"o\": {}}}\n</tool_call>\n<tool_call>\n{\"name\": \"now\","
            + " \"arguments\": {}}\n</tool_call>",
        new HfAgent()
            .write(
                "Look.", List.of(ToolCall.of("search", arguments), ToolCall.of("now", Map.of()))));
  }

  @Test
  void whatCannotBeMadeIsNotWritten() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new HfAgent().write("", List.of(ToolCall.malformed("t", "why"))));
    assertThrows(
        IllegalArgumentException.class,
        () -> new HfAgent().write("", List.of(ToolCall.of("t", Map.of("n", Double.NaN)))));
  }
}
