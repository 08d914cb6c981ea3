package roll.rollout.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.rollout.program.ChatKit.assistant;
import static roll.rollout.program.ChatKit.text;
import static roll.rollout.program.ChatKit.trained;
import static roll.rollout.program.ChatKit.user;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.api.data.Sequence;
import roll.openai.request.ApiException;

/** Samples of hand-made histories, and their trained tokens. */
@NullMarked
class HistoryTest {
  private static final String HEAD = "<|im_start|>user\n1<|im_end|>\n<|im_start|>assistant\n";
  private static final String TAIL =
      "<|im_end|>\n<|im_start|>user\n2<|im_end|>\n<|im_start|>assistant\n";

  private final ChatKit kit = new ChatKit();

  @Test
  void whatContinuesExactlyIsOneSample() throws InterruptedException {
    kit.answer(kit.ask(user("1")), "one");
    kit.answer(kit.ask(user("1"), assistant("one"), user("2")), "two");
    List<Sequence> samples = kit.samples();
    assertEquals(1, samples.size());
    Sequence sample = samples.getFirst();
    assertTrue(text(sample).startsWith(HEAD + "one" + TAIL + "two<|im_end|>"), text(sample));
    assertEquals(List.of("0:one<|im_end|>", "1:two<|im_end|>"), trained(sample));
    int at = HEAD.replace("<|im_start|>", "<").replace("<|im_end|>", ">").length();
    double[] first = Arrays.copyOfRange(sample.logProbs(), at, at + 4);
    assertArrayEquals(new double[] {-0.125, -0.25, -0.375, -0.5}, first);
    for (int i = 0; i < sample.tokens().length; i++) {
      assertEquals(sample.turns()[i] >= 0 ? 7 : -1, sample.versions()[i]);
      assertEquals(sample.turns()[i] >= 0, sample.logProbs()[i] != 0);
    }
  }

  @Test
  void variablesThatTheFormatDoesNotHaveAreRefused() {
    String refusal =
        assertThrows(
                ApiException.class,
                () ->
                    kit.history.ask(
                        ChatKit.said(List.of(user("1"))), Map.of("enable_thinking", true), ""))
            .getMessage();
    assertTrue(refusal.contains("chat_template_kwargs"), refusal);
  }

  @Test
  void anAnswerThatIsAskedForAgainIsDropped() throws InterruptedException {
    kit.answer(kit.ask(user("1")), "bad");
    kit.answer(kit.ask(user("1")), "good");
    kit.answer(kit.ask(user("1"), assistant("good"), user("2")), "end");
    assertEquals(1, kit.samples().size());
    assertEquals(List.of("1:good<|im_end|>", "2:end<|im_end|>"), trained(kit.samples().getFirst()));
  }

  @Test
  void anAnswerIsNotTrainedWhereOnlyTheQuestionGoesOn() throws InterruptedException {
    kit.answer(kit.ask(user("1")), "bad");
    kit.answer(kit.ask(user("1"), user("again")), "good");
    assertEquals(List.of("1:good<|im_end|>"), trained(kit.samples().getFirst()));
    assertEquals(1, kit.samples().size());
  }

  @Test
  void anEditedAnswerBeginsAnew() throws InterruptedException {
    kit.answer(kit.ask(user("1")), "one");
    kit.answer(kit.ask(user("1"), assistant("ONE"), user("2")), "two");
    List<Sequence> samples = kit.samples();
    assertEquals(1, samples.size());
    assertTrue(text(samples.getFirst()).startsWith(HEAD + "ONE" + TAIL), text(samples.getFirst()));
    assertEquals(List.of("1:two<|im_end|>"), trained(samples.getFirst()));
  }

  @Test
  void anEditBehindAnAnswerKeepsWhatIsBefore() throws InterruptedException {
    kit.answer(kit.ask(user("1")), "one");
    kit.answer(kit.ask(user("1"), assistant("one"), user("2")), "two");
    kit.answer(
        kit.ask(user("1"), assistant("one"), user("2"), assistant("TWO"), user("3")), "three");
    assertEquals(1, kit.samples().size());
    assertEquals(
        List.of("0:one<|im_end|>", "2:three<|im_end|>"), trained(kit.samples().getFirst()));
  }

  @Test
  void branchesShareWhatIsTrainedOnce() throws InterruptedException {
    kit.answer(kit.ask(user("1")), "one");
    kit.answer(kit.ask(user("1"), assistant("one"), user("2")), "two");
    kit.answer(kit.ask(user("1"), assistant("one"), user("3")), "three");
    List<Sequence> samples = kit.samples();
    assertEquals(2, samples.size());
    assertEquals(List.of("0:one<|im_end|>", "1:two<|im_end|>"), trained(samples.getFirst()));
    assertEquals(List.of("2:three<|im_end|>"), trained(samples.getLast()));
    assertTrue(text(samples.getLast()).startsWith(HEAD + "one<|im_end|>"));
  }

  @Test
  void twoQuestionsAtOnceAreBranches() throws InterruptedException {
    CapturedCompletion.Request first = kit.ask(user("1"));
    CapturedCompletion.Request second = kit.ask(user("1"));
    kit.answer(first, "left");
    kit.answer(second, "right");
    assertEquals(
        List.of(List.of("0:left<|im_end|>"), List.of("1:right<|im_end|>")),
        kit.samples().stream().map(ChatKit::trained).toList());
    kit.answer(kit.ask(user("1"), assistant("right"), user("2")), "end");
    assertEquals(
        List.of(List.of("1:right<|im_end|>", "2:end<|im_end|>")),
        kit.samples().stream().map(ChatKit::trained).toList());
  }

  @Test
  void aShortenedHistoryIsASampleBesideTheWholeOne() throws InterruptedException {
    kit.answer(kit.ask(user("1")), "one");
    kit.answer(kit.ask(user("1"), assistant("one"), user("2")), "two");
    kit.answer(kit.ask(assistant("one"), user("2"), assistant("two"), user("3")), "three");
    assertEquals(
        List.of(List.of("0:one<|im_end|>", "1:two<|im_end|>"), List.of("2:three<|im_end|>")),
        kit.samples().stream().map(ChatKit::trained).toList());
  }

  @Test
  void whatAStopStringCutIsTrainedAndNotContinued() throws InterruptedException {
    CapturedCompletion cut = kit.answer(kit.ask(user("1")), "one.", ".");
    assertTrue(cut.cut());
    kit.answer(kit.ask(user("1"), assistant("one"), user("2")), "two");
    assertEquals(
        List.of(List.of("0:one.<|im_end|>"), List.of("1:two<|im_end|>")),
        kit.samples().stream().map(ChatKit::trained).toList());
  }

  @Test
  void aQuestionThatNobodyAnsweredDropsNothing() throws InterruptedException {
    kit.answer(kit.ask(user("1")), "one");
    kit.ask(user("1"));
    assertEquals(List.of("0:one<|im_end|>"), trained(kit.samples().getFirst()));
  }

  /** Clients write what they were sent as their language has it. */
  @Test
  void anAnswerInAnEqualFormIsTrained() throws InterruptedException {
    Map<String, Object> none = new HashMap<>(assistant("one"));
    none.put("tool_calls", List.of());
    Map<String, Object> parts = new HashMap<>(assistant(""));
    parts.put("content", List.of(Map.of("type", "text", "text", "one")));
    for (Map<String, Object> echo : List.of(none, parts)) {
      ChatKit own = new ChatKit();
      own.answer(own.ask(user("1")), "one");
      own.answer(own.ask(user("1"), echo, user("2")), "two");
      assertEquals(
          List.of("0:one<|im_end|>", "1:two<|im_end|>"), trained(own.samples().getFirst()));
    }
  }

  @Test
  void numbersOfAnAnswerAreEqualByTheirValue() throws InterruptedException {
    String call =
        "<tool_call>{\"name\": \"t\", \"arguments\": {\"n\": 1.0, \"l\": [{\"m\": -0.0}], \"o\":"
            + " null}}</tool_call>";
    for (Object arguments :
        List.of(
            "{\"n\": 1, \"l\": [{\"m\": 0}], \"o\": null}",
            Map.of("n", 1, "l", List.of(Map.of("m", 0))))) {
      boolean equal = arguments instanceof String;
      ChatKit own = new ChatKit();
      own.answer(own.ask(user("1")), call);
      Map<String, Object> echo = new HashMap<>(assistant(""));
      Map<String, Object> function = Map.of("name", "t", "arguments", arguments);
      echo.put("tool_calls", List.of(Map.of("id", "c", "type", "function", "function", function)));
      Map<String, Object> result = Map.of("role", "tool", "tool_call_id", "c", "content", "2");
      own.answer(own.ask(user("1"), echo, result), "two");
      List<String> two = List.of("0:" + call + "<|im_end|>", "1:two<|im_end|>");
      assertEquals(equal ? two : two.subList(1, 2), trained(own.samples().getFirst()));
    }
  }
}
