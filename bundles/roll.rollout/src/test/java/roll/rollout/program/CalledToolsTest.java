package roll.rollout.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.rollout.program.ChatKit.user;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Calls of tools, which clients send back in JSON of their own. */
@NullMarked
class CalledToolsTest {
  private static final String WRITTEN =
      """
      So:
      <tool_call>
      {"name": "add", "arguments": {"a": 1, "b": [2.5]}}
      </tool_call>\
      """;

  private final ChatKit kit = new ChatKit();

  private static Map<String, Object> call(String id, String arguments) {
    return Map.of(
        "role",
        "assistant",
        "content",
        "So:",
        "tool_calls",
        List.of(
            Map.of(
                "id",
                id,
                "type",
                "function",
                "function",
                Map.of("name", "add", "arguments", arguments))));
  }

  private static Map<String, Object> result(String id) {
    return Map.of("role", "tool", "tool_call_id", id, "content", "3.5");
  }

  @Test
  void aCallContinuesWhateverItsIdAndTheSpacesOfItsJson() throws InterruptedException {
    CapturedCompletion called = kit.answer(kit.ask(user("1")), WRITTEN);
    assertEquals("So:", called.message().get("content"));
    CapturedCompletion.Request next =
        kit.ask(user("1"), call("x", "{ \"b\":[2.5],\"a\":1 }"), result("x"));
    assertTrue(called.isContinuedBy(next));
    kit.answer(next, "3.5");
    String sample = ChatKit.text(kit.samples().getFirst());
    assertTrue(sample.contains(WRITTEN + "<|im_end|>\n<|im_start|>"), sample);
    assertEquals(2, ChatKit.trained(kit.samples().getFirst()).size());
  }

  @Test
  void aCallIsNoAnswer() throws InterruptedException {
    CapturedCompletion called = kit.answer(kit.ask(user("1")), WRITTEN);
    assertEquals("", ProgramEpisode.answer(AgentResult.NONE, called));
    assertEquals("4", ProgramEpisode.answer(new AgentResult("4", 0, Map.of()), called));
    CapturedCompletion said = kit.answer(kit.ask(user("2")), "3.5");
    assertNull(ProgramEpisode.answer(AgentResult.NONE, said), "the last answer is it");
  }

  @Test
  void otherArgumentsAreAnEditAndAreShownAsTheModelWritesThem() throws InterruptedException {
    CapturedCompletion called = kit.answer(kit.ask(user("1")), WRITTEN);
    CapturedCompletion.Request next = kit.ask(user("1"), call("x", "{\"a\":2}"), result("x"));
    assertTrue(!called.isContinuedBy(next));
    String shown = ChatKit.TOKENIZER.decode(next.tokens(), true);
    String edited =
        """
        So:
        <tool_call>
        {"name": "add", "arguments": {"a": 2}}
        </tool_call><|im_end|>\
        """;
    assertTrue(shown.contains(edited), shown);
    kit.answer(next, "2");
    assertEquals(List.of("1:2<|im_end|>"), ChatKit.trained(kit.samples().getFirst()));
  }
}
