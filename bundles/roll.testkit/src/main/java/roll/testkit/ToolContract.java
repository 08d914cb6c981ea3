package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import roll.api.option.Options;
import roll.api.tool.Tool;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.runtime.option.YamlOptions;
import roll.runtime.tool.ToolArguments;

/**
 * What every {@link Tool} must keep. A plugin's test extends this class, says how to make the tool
 * and with which options, and inherits the tests.
 */
public abstract class ToolContract {
  private static final long SEED = 42;

  /** A new instance of the tool under test. */
  protected abstract Tool tool();

  /** The options to test with. */
  protected Map<String, Object> options() {
    return Map.of();
  }

  /** How many random calls each test makes; fewer for what is slow. */
  protected int calls() {
    return 200;
  }

  /** Most characters of an observation; what is longer is cut by the tool. */
  protected int longest() {
    return 1 << 20;
  }

  /** The tools with {@link #options()}, of a new instance. */
  protected final ToolSet set() {
    Tool tool = tool();
    return tool.configure(YamlOptions.checked("tool_config", options(), tool.options()));
  }

  /** It says what it is, and its options have names and descriptions. */
  @Test
  void describesItself() {
    Tool tool = tool();
    assertFalse(tool.description().isBlank(), "the description is empty");
    OptionDeclarations.check(tool.options());
  }

  /** A model is told a name, what the tool does, and an object of named arguments. */
  @Test
  void schemasAreWhole() {
    try (ToolSet set = set()) {
      assertFalse(set.tools().isEmpty(), "there is no tool");
      assertEquals(set.tools(), set.tools(), "the tools change");
      Set<String> names = new HashSet<>();
      for (ToolSchema schema : set.tools()) {
        String name = schema.name();
        assertTrue(name.matches("[\\w.-]{1,64}"), () -> "'" + name + "' is no name");
        assertTrue(names.add(name), () -> name + " is there twice");
        assertFalse(schema.description().isBlank(), () -> name + " has no description");
        assertEquals("object", schema.parameters().get("type"), () -> name + " takes no object");
        assertTrue(
            schema.parameters().get("properties") instanceof Map<?, ?>,
            () -> name + " has no properties");
        for (String required : schema.required()) {
          assertTrue(schema.properties().containsKey(required), () -> name + ": " + required);
        }
      }
    }
  }

  /** Whatever a model asks for within the schema, the answer is text, and nothing is thrown. */
  @Test
  void anyCallIsAnswered() {
    Random random = new Random(3);
    try (ToolSet set = set();
        ToolSession session = set.open(SEED)) {
      for (int i = 0; i < calls(); i++) {
        answered(session, call(set, random));
      }
    }
  }

  /** Calls of one message, and those of other episodes, may come at once. */
  @Test
  void manyThreadsMayCall() throws Exception {
    Random random = new Random(4);
    try (ToolSet set = set();
        ToolSession shared = set.open(SEED)) {
      List<Callable<ToolResult>> asks = new ArrayList<>();
      for (int i = 0; i < calls() / 2; i++) {
        ToolCall call = call(set, random);
        asks.add(() -> answered(shared, call));
        asks.add(
            () -> {
              try (ToolSession own = set.open(SEED)) {
                return answered(own, call);
              }
            });
      }
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (Future<ToolResult> result : threads.invokeAll(asks)) {
          assertNotNull(result.get());
        }
      }
    }
  }

  /** What one episode does is not seen by another, whether they take turns or not. */
  @Test
  void episodesAreApart() {
    try (ToolSet set = set()) {
      Random random = new Random(5);
      List<ToolCall> calls = new ArrayList<>();
      for (int i = 0; i < Math.min(calls(), 20); i++) {
        calls.add(call(set, random));
      }
      List<ToolResult> alone = new ArrayList<>();
      try (ToolSession session = set.open(SEED)) {
        for (ToolCall call : calls) {
          alone.add(answered(session, call));
        }
      }
      try (ToolSession one = set.open(SEED);
          ToolSession other = set.open(SEED)) {
        for (int i = 0; i < calls.size(); i++) {
          assertEquals(alone.get(i), answered(one, calls.get(i)), "another episode is seen");
          assertEquals(alone.get(i), answered(other, calls.get(i)), "another episode is seen");
        }
      }
    }
  }

  /** A rollout configures its tools anew; what another one closed does not disturb it. */
  @Test
  void setsAreApart() {
    Tool tool = tool();
    Options options = YamlOptions.checked("tool_config", options(), tool.options());
    ToolSet kept = tool.configure(options);
    ToolSet closed = tool.configure(options);
    assertEquals(kept.tools(), closed.tools());
    closed.close();
    closed.close();
    ToolSession session = kept.open(SEED);
    answered(session, call(kept, new Random(6)));
    session.close();
    session.close();
    kept.close();
    kept.close();
  }

  private static ToolCall call(ToolSet set, Random random) {
    ToolSchema schema = set.tools().get(random.nextInt(set.tools().size()));
    ToolCall call = ToolCall.of(schema.name(), JsonArguments.fitting(random, schema));
    assertEquals(Optional.empty(), ToolArguments.problem(schema, call));
    return call;
  }

  private ToolResult answered(ToolSession session, ToolCall call) {
    try {
      ToolResult result = session.call(call.tool(), call.arguments());
      assertNotNull(result, () -> call + " has no result");
      assertNotNull(result.observation(), () -> call + " is answered without text");
      int length = result.observation().length();
      assertTrue(length <= longest(), () -> call + " is answered with " + length + " letters");
      assertNotNull(result.status(), () -> call + " has no status");
      return result;
    } catch (InterruptedException | RuntimeException e) {
      throw new AssertionError(call + " throws", e);
    }
  }
}
