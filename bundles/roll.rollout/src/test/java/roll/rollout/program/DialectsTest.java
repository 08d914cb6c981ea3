package roll.rollout.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.Sequence;
import roll.api.strategy.Generation;
import roll.openai.request.ChatCall;

/** A history in the form of any dialect continues the tokens that were sampled. */
@NullMarked
class DialectsTest {
  private static final String CHAT = "/v1/chat/completions";
  private static final String MESSAGES = "/v1/messages";
  private static final String RESPONSES = "/v1/responses";

  private static final String ANSWER =
      "<think>hm\n</think>\n\nSo:\n<tool_call>\n{\"name\": \"add\", \"arguments\": {\"a\": 1.0}}\n"
          + "</tool_call>";

  private static final Map<String, String> FIRST =
      Map.of(
          CHAT,
          """
          {"messages":[{"role":"system","content":"s"},{"role":"user","content":"1"}]}
          """,
          MESSAGES,
          """
          {"max_tokens":9,"system":"s","messages":[{"role":"user","content":"1"}]}
          """,
          RESPONSES,
          """
          {"instructions":"s","input":"1"}
          """);

  private static final Map<String, String> SECOND =
      Map.of(
          CHAT,
          """
          {"messages":[{"role":"system","content":"s"},{"role":"user","content":"1"},
           {"role":"assistant","content":"<think>hm\\n</think>\\n\\nSo:","tool_calls":[
            {"id":"x","type":"function","function":{"name":"add","arguments":"{\\"a\\":1}"}}]},
           {"role":"tool","tool_call_id":"x","content":"2"}]}
          """,
          MESSAGES,
          """
          {"max_tokens":9,"system":[{"type":"text","text":"s"}],"messages":[
           {"role":"user","content":[{"type":"text","text":"1"}]},
           {"role":"assistant","content":[{"type":"thinking","thinking":"hm\\n","signature":""},
            {"type":"text","text":"\\n\\nSo:"},
            {"type":"tool_use","id":"y","name":"add","input":{"a":1}}]},
           {"role":"user","content":[
            {"type":"tool_result","tool_use_id":"y","content":[{"type":"text","text":"2"}]}]}]}
          """,
          RESPONSES,
          """
          {"instructions":"s","input":[{"role":"user","content":"1"},
           {"type":"reasoning","id":"r","summary":[],
            "content":[{"type":"reasoning_text","text":"hm\\n"}]},
           {"type":"message","role":"assistant",
            "content":[{"type":"output_text","text":"\\n\\nSo:"}]},
           {"type":"function_call","call_id":"z","name":"add","arguments":"{\\"a\\": 1}"},
           {"type":"function_call_output","call_id":"z","output":"2"}]}
          """);

  private static CapturedCompletion.Request ask(ChatKit kit, String path, String body)
      throws InterruptedException {
    ChatCall call = CallReader.read(path, body);
    return kit.history.ask(call.said(), call.variables(), call.prefix());
  }

  @Test
  void everyFormContinuesEveryOther() throws InterruptedException {
    for (String one : List.of(CHAT, MESSAGES, RESPONSES)) {
      for (String other : List.of(CHAT, MESSAGES, RESPONSES)) {
        ChatKit kit = new ChatKit();
        CapturedCompletion answer = kit.answer(ask(kit, one, FIRST.get(one)), ANSWER);
        CapturedCompletion.Request next = ask(kit, other, SECOND.get(other));
        assertTrue(answer.isContinuedBy(next), one + " " + other);
        kit.answer(next, "end");
        assertEquals(
            List.of("0:" + ANSWER + "<|im_end|>", "1:end<|im_end|>"),
            ChatKit.trained(kit.samples().getFirst()));
      }
    }
  }

  /** The forced beginning of a call belongs to the prompt. */
  @Test
  void whatAForcedCallBeginsWithIsNotTrained(@TempDir Path folder)
      throws IOException, InterruptedException {
    String tools = "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"add\"}}],";
    String forced = "{" + tools + "\"tool_choice\":\"required\",";
    ChatKit kit = new ChatKit(ChatKit.withTools(folder));
    CapturedCompletion answer =
        kit.answer(
            ask(kit, CHAT, FIRST.get(CHAT).replaceFirst("\\{", forced)),
            " {\"a\": 1.0}}\n</tool_call>");
    String called =
        SECOND
            .get(CHAT)
            .replace("<think>hm\\n</think>\\n\\nSo:", "")
            .replaceFirst("\\{", "{" + tools);
    CapturedCompletion.Request next = ask(kit, CHAT, called);
    assertTrue(answer.isContinuedBy(next));
    kit.answer(next, "end");
    Sequence sample = kit.samples().getFirst();
    assertEquals(
        List.of("0: {\"a\": 1.0}}\n</tool_call><|im_end|>", "1:end<|im_end|>"),
        ChatKit.trained(sample));
    String begun = "<|im_start|>assistant\n<tool_call>\n{\"name\": \"add\", \"arguments\":";
    assertTrue(ChatKit.text(sample).contains(begun + " {"), ChatKit.text(sample));
  }

  @Test
  void aThoughtThatDidNotEndIsContinued() throws InterruptedException {
    ChatKit kit = new ChatKit();
    CapturedCompletion answer = kit.answer(ask(kit, MESSAGES, FIRST.get(MESSAGES)), "<think>hm");
    String next =
        """
        {"max_tokens":9,"system":"s","messages":[{"role":"user","content":"1"},
         {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":""}]},
         {"role":"user","content":"go on"}]}
        """;
    assertTrue(answer.isContinuedBy(ask(kit, MESSAGES, next)));
  }

  /** A stop string ends responses behind the call if a client wants one at most. */
  @Test
  void aResponseThatEndsWithItsCallIsContinued() throws InterruptedException {
    ChatKit kit = new ChatKit();
    Generation drawn = ChatKit.drawn(ANSWER);
    int length = drawn.tokens().length - 1; // without the end of the turn
    double[] logProbs = Arrays.copyOf(drawn.logProbs(), length);
    Generation ended =
        new Generation(Arrays.copyOf(drawn.tokens(), length), logProbs, logProbs, true, 7);
    CapturedCompletion answer =
        kit.history.add(ask(kit, CHAT, FIRST.get(CHAT)), ended, List.of(), true);
    CapturedCompletion.Request next = ask(kit, RESPONSES, SECOND.get(RESPONSES));
    assertTrue(answer.isContinuedBy(next));
    kit.answer(next, "end");
    Sequence sample = kit.samples().getFirst();
    assertEquals(List.of("0:" + ANSWER, "1:end<|im_end|>"), ChatKit.trained(sample));
    assertTrue(ChatKit.text(sample).contains(ANSWER + "<|im_end|>\n<|im_start|>"));
  }

  @Test
  void aThoughtThatIsLeftOutIsAnEdit() throws InterruptedException {
    ChatKit kit = new ChatKit();
    CapturedCompletion answer = kit.answer(ask(kit, CHAT, FIRST.get(CHAT)), ANSWER);
    String edited = SECOND.get(CHAT).replace("<think>hm\\n</think>\\n\\n", "");
    assertTrue(!answer.isContinuedBy(ask(kit, CHAT, edited)));
  }

  /** Each dialect's own parameter sets the variable of the chat template. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        CHAT + " | | ",
        CHAT + " | \"reasoning_effort\":\"low\", | true",
        CHAT + " | \"reasoning_effort\":\"none\", | false",
        CHAT + " | \"chat_template_kwargs\":{\"enable_thinking\":false}, | false",
        MESSAGES + " | | ",
        MESSAGES + " | \"thinking\":{\"type\":\"enabled\",\"budget_tokens\":1024}, | true",
        MESSAGES + " | \"thinking\":{\"type\":\"disabled\"}, | false",
        MESSAGES
            + " | \"thinking\":{\"type\":\"disabled\"},"
            + "\"chat_template_kwargs\":{\"enable_thinking\":true}, | true",
        RESPONSES + " | \"reasoning\":{\"summary\":\"auto\"}, | ",
        RESPONSES + " | \"reasoning\":{\"effort\":\"medium\"}, | true",
        RESPONSES + " | \"reasoning\":{\"effort\":\"none\"}, | false",
      })
  void thinkingMeansTheSame(String path, String more, Boolean thinks) throws InterruptedException {
    String given = more == null ? "" : more;
    String body = FIRST.get(path).replaceFirst("\\{", "{" + given);
    Map<String, Object> variables = CallReader.read(path, body).variables();
    if (thinks == null) {
      assertNull(variables.get("enable_thinking"));
    } else {
      assertEquals(Map.of("enable_thinking", thinks), variables);
    }
  }
}
