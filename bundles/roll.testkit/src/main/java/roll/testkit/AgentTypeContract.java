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
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;

/**
 * The guarantees of every {@link AgentType}. A plugin's test extends this class, creates the type,
 * and inherits the tests.
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

  /** Returns a new instance of the type under test. */
  protected abstract AgentType type();

  /** Returns the tools that the model may call. */
  protected List<ToolSchema> tools() {
    return List.of(
        ToolSchema.of("search", "Looks things up.", Argument.text("query", "what to look for")),
        ToolSchema.of("calculator_2", "Calculates.", Argument.text("expression", "a \"sum\"")));
  }

  /** Returns the maximum number of calls in a message of this format, at least 1. */
  protected int mostCalls() {
    return 3;
  }

  /** Returns whether calls are executed, see {@link Reply#executed()}. */
  protected boolean executed() {
    return true;
  }

  /** Returns a random call that this format can express; by default with any arguments. */
  protected ToolCall call(Random random) {
    List<ToolSchema> tools = tools();
    return ToolCall.of(
        tools.get(random.nextInt(tools.size())).name(), JsonArguments.mapping(random, 3));
  }

  /** Returns a random text that is hard to parse, for the arguments of calls. */
  protected static String text(Random random) {
    return JsonArguments.text(random);
  }

  @ContractTest(
      value = "An agent type has a description, and an instruction even without tools.",
      look = "description() and instruction()")
  void describesItself() {
    assertFalse(type().description().isBlank(), "the description is empty");
    assertNotNull(type().instruction(List.of()), "the instruction is null");
  }

  @ContractTest(
      value = "The instruction names every tool, unless the chat template lists the tools.",
      look = "instruction() and listsTools()")
  void everyToolIsInTheInstruction() {
    String instruction = type().instruction(tools());
    assertEquals(instruction, type().instruction(tools()), "second call of instruction()");
    if (!type().listsTools()) {
      for (ToolSchema tool : tools()) {
        assertTrue(
            instruction.contains(tool.name()),
            () -> "the instruction does not name " + tool.name());
      }
    }
  }

  @ContractTest(
      value =
          "Any text is parsed without an exception, twice with the same result, and arguments "
              + "are JSON values.",
      look = "read()")
  void anyTextIsRead() {
    for (String text : texts()) {
      Reply reply = type().read(text, tools());
      assertEquals(reply, type().read(text, tools()), () -> "second parse of " + text);
      assertFalse(reply.executed() && reply.calls().isEmpty(), "executed() without calls");
      for (ToolCall call : reply.calls()) {
        assertNotNull(call.tool());
        assertTrue(
            call.problem() == null || !call.problem().isBlank(), "a call with an empty problem");
        assertTrue(call.problem() != null || !call.tool().isBlank(), "a call without a tool name");
        assertJson(call.arguments());
      }
    }
  }

  @ContractTest(
      value = "A message without marks of the format is an answer and calls no tool.",
      look = "read()")
  void plainWordsAreTheAnswer() {
    for (String text : List.of("", "The answer is 42.", "x".repeat(100_000), "a\nb\n\nc")) {
      assertEquals(List.of(), type().read(text, tools()).calls());
      assertFalse(type().read(text, tools()).executed());
    }
  }

  @ContractTest(
      value = "read() returns the calls that write() wrote.",
      look = "write() and read(): quoting and escapes")
  void whatIsWrittenIsRead() {
    Random random = new Random(7);
    for (int round = 0; round < ROUNDS; round++) {
      List<ToolCall> calls = calls(random);
      String text = type().write(round % 3 == 0 ? "" : "I think, ünd\nso on " + round, calls);
      assertEquals(new Reply(calls, executed()), type().read(text, tools()), () -> text);
    }
  }

  @ContractTest(
      value = "A message without calls is written as an answer that contains its text.",
      look = "write()")
  void anAnswerIsWritten() {
    String text = type().write("It is 42.", List.of());
    assertTrue(text.contains("It is 42."), text);
    assertEquals(List.of(), type().read(text, tools()).calls());
  }

  @ContractTest(
      value = "Many threads may parse at once.",
      look = "fields of the agent type that read() or write() modify")
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

  /** Returns malformed texts, marks of all formats in random order, and damaged messages. */
  private List<String> texts() {
    Random random = new Random(9);
    List<String> texts = new ArrayList<>(MalformedTexts.ALL);
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
                assertTrue(key instanceof String, () -> "an object has the key " + key);
                assertJson(inner);
              });
      case List<?> list -> list.forEach(AgentTypeContract::assertJson);
      case Double number -> assertTrue(Double.isFinite(number), () -> number + " is not finite");
      default ->
          assertTrue(
              value instanceof String || value instanceof Long || value instanceof Boolean,
              () -> "an argument is a " + value.getClass() + ", which JSON has not");
    }
  }
}
