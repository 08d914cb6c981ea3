package roll.agent.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;

/** The types whose messages make one call: think, react, code, searchr1, gui. */
class SingleCallMessageTest {
  private static final ToolCall PARIS = ToolCall.of("search", Map.of("query", "Paris"));

  private static Reply read(AgentType type, String response) {
    return type.read(response, List.of());
  }

  private static ToolSchema runner(String name) {
    return ToolSchema.of(name, "Runs it.", Argument.text("code", "Python"));
  }

  @Test
  void thinkReadsTheFirstCallAfterTheThoughts() {
    String call = "<tool_call>{\"name\": \"search\", \"arguments\": {\"query\": \"Paris\"}}";
    ThinkAgent think = new ThinkAgent();
    Reply calling = Reply.calling(List.of(PARIS));
    assertEquals(
        calling,
        read(
            think,
            "<think>maybe <tool_call>{}</tool_call></think>"
                + call
                + "</tool_call><tool_call>{}</tool_call>"));
    assertEquals(calling, read(think, call + "</tool_call>"));
    assertEquals(calling, read(think, "the template began</think>" + call + "</tool_call>"));
    assertEquals(Reply.ANSWER, read(think, "<think>" + call + "</tool_call>"));
    assertEquals(Reply.ANSWER, read(think, "<think>" + call + "</tool_call></think>Paris"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Thought: I look.\nAction: search\nInput: {\"query\": \"Paris\"}",
        """
        thought: I look.
        ACTION : **search**
        Action Input:
        ```json
        {"query": "Paris"}
        ```
        """,
        "Thought: I look. Action: search Input: {\"query\": \"Paris\"}",
        "Action: `search`\nInput: {\"name\": \"search\", \"arguments\": {\"query\": \"Paris\"}}",
        "Action: anything\nInput: <tool_call>{\"name\": \"search\", \"arguments\":"
            + " {\"query\": \"Paris\"}}</tool_call>",
        """
        Action: search
        Input: {"query": "Paris"}
        Observation: made up
        Action: search
        Input: {}
        """,
        "The action: it is plain.\nAction: search\nInput: {\"query\": \"Paris\"}",
      })
  void reactReadsOneCall(String response) {
    assertEquals(Reply.calling(List.of(PARIS)), read(new ReactAgent(), response));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Thought: I look.\nAction: search\nInput: {\"query\": \"} Observation: Paris\"}",
        "Action: search\nInput:\n```json\n{\"query\": \"Paris\"}\n```",
        "Action: search\nInput: <tool_call>{\"name\": \"search\"}</tool_call>",
        "Action: search\nInput: {\"query\": ",
        "Action: search",
        "<think>Action: no\nInput: {}</think>Action: search\nInput: {}",
      })
  void reactKeepsItsCallAndNoObservation(String call) {
    ReactAgent react = new ReactAgent();
    assertEquals(call.length(), react.kept(call));
    assertEquals((call + "\n\n").length(), react.kept(call + "\n\n"), "blanks stay");
    String made = call + "\nObservation: made up\nThought: good.\nThe answer is Paris";
    assertEquals(call.stripTrailing(), made.substring(0, react.kept(made)).stripTrailing());
    assertEquals(read(react, call), read(react, made.substring(0, react.kept(made))));
    String answer = "Observation: none. It is Paris.";
    assertEquals(answer.length(), react.kept(answer));
  }

  @Test
  void oneCallEndsTheMessage() {
    String search = "<think>a <search>b</search></think><search>Paris</search>";
    String made = search + "<information>made up</information><answer>Paris</answer>";
    assertEquals(search.length(), new SearchTagAgent().kept(made));
    assertEquals(read(new SearchTagAgent(), search), read(new SearchTagAgent(), made));
    String call = "<think>a</think><tool_call>{\"name\": \"search\"}</tool_call>";
    assertEquals(call.length(), new ThinkAgent().kept(call + "<tool_response>made up"));
    assertEquals("Paris".length(), new ThinkAgent().kept("Paris"));
    assertEquals("Paris".length(), new SearchTagAgent().kept("Paris"));
  }

  @Test
  void thoughtsAreNotRead() {
    ToolSchema runner = runner("code_interpreter");
    String block = "```python\n1\n```";
    assertEquals(
        new CodeAgent().read(block, List.of(runner)),
        new CodeAgent().read("<think>\n" + block + "\n</think>\n" + block, List.of(runner)));
    assertEquals(
        Reply.ANSWER, read(new SearchTagAgent(), "<think><search>a</search></think>Paris"));
    assertEquals(Reply.ANSWER, read(new ReactAgent(), "<think>Action: a\nInput: {}</think>Paris"));
  }

  @Test
  void reactSaysWhatIsWrong() {
    assertEquals(
        List.of(
            ToolCall.malformed(
                "search",
                "Invalid input: the JSON is malformed at line 1 column 1, input must be a valid"
                    + " JSON object.")),
        read(new ReactAgent(), "Action: search\nInput: Paris").calls());
    assertEquals(
        List.of(
            ToolCall.malformed(
                "search", "Invalid input: nothing is written, input must be a valid JSON object.")),
        read(new ReactAgent(), "Action: search").calls());
    assertEquals(
        List.of(
            ToolCall.malformed(
                "", "Invalid input: Action: names no tool, input must be a valid JSON object.")),
        read(new ReactAgent(), "Action:\nInput: {}").calls());
  }

  @Test
  void reactTakesASentenceForTheAnswer() {
    assertEquals(Reply.ANSWER, read(new ReactAgent(), "Thought: the best action: none. It is 4."));
  }

  @Test
  void reactListsTheToolsWithTheirSchemas() {
    String instruction =
        new ReactAgent()
            .instruction(
                List.of(ToolSchema.of("search", "Sucht.", Argument.text("query", "für was"))));
    assertTrue(
        instruction.endsWith(
            """
            The tools are:
            [
                {
                    "type": "function",
                    "function": {
                        "name": "search",
                        "description": "Sucht.",
                        "parameters": {
                            "type": "object",
                            "properties": {
                                "query": {
                                    "type": "string",
                                    "description": "für was"
                                }
                            },
                            "required": [
                                "query"
                            ]
                        }
                    }
                }
            ]\
            """),
        instruction);
  }

  @Test
  void codeRunsExactlyOneBlock() {
    CodeAgent code = new CodeAgent();
    String block = "```python\nprint(1)\n```";
    ToolCall call = ToolCall.of("code_interpreter", Map.of("code", "print(1)"));
    assertEquals(Reply.calling(List.of(call)), read(code, "Run:\n" + block + "\nso"));
    assertEquals(
        Reply.calling(List.of(call)), read(code, "```\n" + "output\n```\n" + block + "\n"));
    assertEquals(Reply.ANSWER, read(code, block + "\n" + block));
    assertEquals(Reply.ANSWER, read(code, "```python\nprint(1)"));
    assertEquals(Reply.ANSWER, read(code, "```java\n1\n```"));
    assertEquals(Reply.ANSWER, read(code, "print(1)"));
  }

  @Test
  void codeGoesToTheToolThatIsOffered() {
    String block = "```Python\n1\n```";
    for (String name : List.of("python_executor", "code_interpreter")) {
      List<ToolSchema> tools = List.of(runner(name));
      assertEquals(name, new CodeAgent().read(block, tools).calls().getFirst().tool());
      assertTrue(new CodeAgent().instruction(tools).contains("The tool " + name + " runs it"));
    }
  }

  @Test
  void codeWithFencesIsWrittenInLongerOnes() {
    assertEquals(
        "So\n````python\ns = '''\n```\n'''\n````",
        new CodeAgent()
            .write(
                "So",
                List.of(ToolCall.of("code_interpreter", Map.of("code", "s = '''\n```\n'''")))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Action: click(start_box='(400,300.5)')",
        "Thought: there\nAction: click(start_box='<|box_start|>(400,300.5)<|box_end|>')",
        "Thought: there\naction: click(point=\"<point>400 300.5</point>\")",
        "Thought: there Action: click( start_box = '[400, 300.5]' )\n\nwait()",
      })
  void guiReadsAClick(String response) {
    assertEquals(
        new Reply(List.of(ToolCall.of("click", Map.of("start_box", List.of(400L, 300.5)))), false),
        read(new GuiAgent(), response));
  }

  @Test
  void guiReadsTheOtherActions() {
    GuiAgent gui = new GuiAgent();
    assertEquals(
        List.of(ToolCall.of("type", Map.of("content", "it's\n\"a\" \\ b"))),
        read(gui, "Action: type(content='it\\'s\\n\"a\" \\\\ b')").calls());
    assertEquals(
        List.of(
            ToolCall.of(
                "drag", Map.of("start_box", List.of(1L, 2L, 3L, 4L), "end_box", List.of(5L, 6L)))),
        read(gui, "Action: drag(start_box='(1,2,3,4)', end_box='(5,6)')").calls());
    assertEquals(
        List.of(ToolCall.of("scroll", Map.of("direction", "down"))),
        read(gui, "Action: scroll(direction='down')").calls());
    assertEquals(
        List.of(ToolCall.of("finished", Map.of())), read(gui, "Action: finished()").calls());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "click(start_box='(1,2)')",
        "Action: click(start_box='(1,2)'",
        "Action: click(start_box='(1)')",
        "Action: click(start_box='here')",
        "Action: click()",
        "Action: click(start_box='(1,2)', colour='red')",
        "Action: click(start_box=(1,2))",
        "Action: jump(start_box='(1,2)')",
        "Action: type(content='no end)",
        "Action: scroll(start_box='(1,2)')",
      })
  void guiMakesNothingUp(String response) {
    assertEquals(new Reply(List.of(), false), read(new GuiAgent(), response));
  }

  @Test
  void whatAFormatCannotSayIsNotWritten() {
    for (AgentType type :
        List.of(new ThinkAgent(), new ReactAgent(), new CodeAgent(), new GuiAgent())) {
      assertThrows(IllegalArgumentException.class, () -> type.write("", List.of(PARIS, PARIS)));
    }
    for (AgentType type : List.of(new CodeAgent(), new GuiAgent())) {
      assertThrows(IllegalArgumentException.class, () -> type.write("", List.of(PARIS)));
    }
  }

  @Test
  void searchTagsReadUpToTheFirstEnd() {
    SearchTagAgent tags = new SearchTagAgent();
    Reply calling = Reply.calling(List.of(PARIS));
    assertEquals(calling, read(tags, "<think>where?</think><search> Paris </search>"));
    assertEquals(
        calling,
        read(tags, "<search>Paris</search><information>made up</information><answer>x</answer>"));
    assertEquals(Reply.ANSWER, read(tags, "<answer>Paris</answer><search>Rome</search>"));
    assertEquals(Reply.ANSWER, read(tags, "<search>Rome <answer>Paris</answer>"));
    assertEquals(
        "Invalid <search>: it does not end with </search>.",
        read(tags, "<search>Paris").calls().getFirst().problem());
    assertEquals(
        "Invalid <search>: it asks for nothing.",
        read(tags, "<search> </search>").calls().getFirst().problem());
    assertThrows(
        IllegalArgumentException.class,
        () ->
            tags.write(
                "", List.of(ToolCall.of("search", Map.of("query", "a</answer> or </search>")))));
    assertThrows(
        IllegalArgumentException.class,
        () -> tags.write("", List.of(ToolCall.of("calculator", Map.of("query", "1")))));
  }
}
