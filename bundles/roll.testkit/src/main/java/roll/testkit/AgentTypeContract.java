package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;

/**
 * What every {@link AgentType} must keep. A plugin's test extends this class, says how to make the
 * type, and inherits the tests.
 */
public abstract class AgentTypeContract {
  private static final int ROUNDS = 300;
  private static final List<String> MARKS =
      List.of(
          "<tool_call>",
          "</tool_call>",
          "<tool_call>{\"name\": \"search\", \"arguments\": ",
          "<tool_call>[]</tool_call>",
          "<tool_call>{\"name\": 1}</tool_call>",
          "<think>",
          "</think>",
          "Action:",
          "Action: search\nInput:",
          "Action: click(start_box='",
          "Input: {",
          "```python\n",
          "```",
          "{\"a\":",
          "\\",
          "'");

  /** A new instance of the type under test. */
  protected abstract AgentType type();

  /** The tools that the model may call. */
  protected List<ToolSchema> tools() {
    return List.of(
        ToolSchema.of("search", "Looks things up.", Argument.text("query", "what to look for")),
        ToolSchema.of("calculator_2", "Calculates.", Argument.text("expression", "a \"sum\"")));
  }

  /** Most calls that a message of this format can make; at least 1. */
  protected int mostCalls() {
    return 3;
  }

  /** Whether calls are made, see {@link Reply#executed()}. */
  protected boolean executed() {
    return true;
  }

  /** A call that this format can say; the standard takes any arguments. */
  protected ToolCall call(Random random) {
    List<ToolSchema> tools = tools();
    return ToolCall.of(
        tools.get(random.nextInt(tools.size())).name(), JsonArguments.mapping(random, 3));
  }

  /** A text of the kind that breaks readers, for own calls. */
  protected static String text(Random random) {
    return JsonArguments.text(random);
  }

  /** It says what it is. */
  @Test
  void describesItself() {
    assertFalse(type().description().isBlank(), "the description is empty");
    assertNotNull(type().instruction(List.of()), "the instruction is null");
  }

  /**
   * A model that is not told of the tools by its chat template reads of each in the instruction.
   */
  @Test
  void everyToolIsTold() {
    String instruction = type().instruction(tools());
    assertEquals(instruction, type().instruction(tools()), "the instruction changes");
    if (!type().listsTools()) {
      for (ToolSchema tool : tools()) {
        assertTrue(instruction.contains(tool.name()), () -> tool.name() + " is not told");
      }
    }
  }

  /** Whatever a model writes is read, twice the same; what it asks for is what JSON can hold. */
  @Test
  void anyTextIsRead() {
    for (String text : texts()) {
      Reply reply = type().read(text, tools());
      assertEquals(reply, type().read(text, tools()));
      assertFalse(reply.executed() && reply.calls().isEmpty(), "waits for the result of no call");
      for (ToolCall call : reply.calls()) {
        assertNotNull(call.tool());
        assertTrue(call.problem() == null || !call.problem().isBlank(), "an empty problem");
        assertTrue(call.problem() != null || !call.tool().isBlank(), "a call of no tool");
        assertJson(call.arguments());
      }
    }
  }

  /** A message without any mark of the format is the answer. */
  @Test
  void plainWordsAreTheAnswer() {
    for (String text : List.of("", "The answer is 42.", "x".repeat(100_000), "a\nb\n\nc")) {
      assertEquals(List.of(), type().read(text, tools()).calls());
      assertFalse(type().read(text, tools()).executed());
    }
  }

  /** What is written is read as what was meant. */
  @Test
  void whatIsWrittenIsRead() {
    Random random = new Random(7);
    for (int round = 0; round < ROUNDS; round++) {
      List<ToolCall> calls = calls(random);
      String text = type().write(round % 3 == 0 ? "" : "I think, ünd\nso on " + round, calls);
      assertEquals(new Reply(calls, executed()), type().read(text, tools()), () -> text);
    }
  }

  /** A message that calls nothing is the answer, and its words are there. */
  @Test
  void anAnswerIsWritten() {
    String text = type().write("It is 42.", List.of());
    assertTrue(text.contains("It is 42."), text);
    assertEquals(List.of(), type().read(text, tools()).calls());
  }

  /** Many threads read at once. */
  @Test
  void manyThreadsMayRead() throws Exception {
    AgentType type = type();
    Random random = new Random(8);
    List<List<ToolCall>> written = new ArrayList<>();
    List<Callable<Reply>> reads = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      List<ToolCall> calls = calls(random);
      written.add(calls);
      reads.add(() -> type.read(type.write("", calls), tools()));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Reply>> replies = threads.invokeAll(reads);
      for (int i = 0; i < reads.size(); i++) {
        assertEquals(written.get(i), replies.get(i).get().calls());
      }
    }
  }

  private List<ToolCall> calls(Random random) {
    List<ToolCall> calls = new ArrayList<>();
    for (int i = random.nextInt(mostCalls()); i >= 0; i--) {
      calls.add(call(random));
    }
    return List.copyOf(calls);
  }

  /** Odd texts, marks of all formats in any order, messages that are cut short or damaged. */
  private List<String> texts() {
    Random random = new Random(9);
    List<String> texts = new ArrayList<>(OddTexts.ALL);
    for (String mark : MARKS) {
      texts.add(mark.repeat(2_000));
      texts.add(mark + "a".repeat(100_000) + mark);
      texts.add(mark + " ".repeat(100_000) + mark);
    }
    for (int i = 0; i < ROUNDS; i++) {
      StringBuilder text = new StringBuilder();
      for (int j = random.nextInt(8); j >= 0; j--) {
        text.append(MARKS.get(random.nextInt(MARKS.size())));
        text.append(random.nextBoolean() ? "\n" : JsonArguments.text(random));
      }
      texts.add(text.toString());
      String message = type().write("so", calls(random));
      int cut = random.nextInt(message.length() + 1);
      texts.add(message.substring(0, cut));
      texts.add(message.substring(0, cut) + message.substring(Math.min(cut + 1, message.length())));
    }
    return texts;
  }

  private static void assertJson(Object value) {
    switch (value) {
      case Map<?, ?> map ->
          map.forEach(
              (key, inner) -> {
                assertTrue(key instanceof String, () -> key + " is no name");
                assertJson(inner);
              });
      case List<?> list -> list.forEach(AgentTypeContract::assertJson);
      case Double number -> assertTrue(Double.isFinite(number), () -> number + " is not finite");
      default ->
          assertTrue(
              value instanceof String || value instanceof Long || value instanceof Boolean,
              () -> value.getClass() + " is nothing that JSON can hold");
    }
  }
}
