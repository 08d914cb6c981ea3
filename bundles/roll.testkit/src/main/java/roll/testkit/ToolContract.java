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
 * The guarantees of every {@link Tool}. A plugin's test extends this class, creates the tool,
 * chooses its options, and inherits the tests.
 */
public abstract class ToolContract {
  private static final long SEED = 42;

  /** Returns a new instance of the tool under test. */
  protected abstract Tool tool();

  /** Returns the options to test with. */
  protected Map<String, Object> options() {
    return Map.of();
  }

  /** Returns the number of random calls per test; a slow tool returns less. */
  protected int calls() {
    return 200;
  }

  /** Returns the maximum number of characters of an observation. */
  protected int longest() {
    return 1 << 20;
  }

  /** Returns the tools of a new instance with {@link #options()}. */
  protected final ToolSet set() {
    Tool tool = tool();
    return tool.configure(YamlOptions.checked("tool_config", options(), tool.options()));
  }

  @ContractTest(
      value = "A tool has a description and valid option declarations.",
      look = "description() and options()")
  void describesItself() {
    Tool tool = tool();
    assertFalse(tool.description().isBlank(), "the description is empty");
    OptionDeclarations.check(tool.options());
  }

  @ContractTest(
      value =
          "Each tool of a set has a unique name, a description and a JSON object of named "
              + "arguments.",
      look = "tools() of the set")
  void schemasAreComplete() {
    try (ToolSet set = set()) {
      assertFalse(set.tools().isEmpty(), "the set has no tool");
      assertEquals(set.tools(), set.tools(), "second call of tools()");
      Set<String> names = new HashSet<>();
      for (ToolSchema schema : set.tools()) {
        String name = schema.name();
        assertTrue(
            name.matches("[\\w.-]{1,64}"),
            () -> "the name '" + name + "' does not match [\\w.-]{1,64}");
        assertTrue(names.add(name), () -> "two tools have the name " + name);
        assertFalse(schema.description().isBlank(), () -> name + " has no description");
        assertEquals(
            "object", schema.parameters().get("type"), () -> name + ": type of its parameters");
        assertTrue(
            schema.parameters().get("properties") instanceof Map<?, ?>,
            () -> name + " has no properties");
        for (String required : schema.required()) {
          assertTrue(
              schema.properties().containsKey(required),
              () -> name + ": no property for the required argument " + required);
        }
      }
    }
  }

  @ContractTest(
      value = "Any call that fits the schema returns text of bounded length and throws nothing.",
      look = "call(): catch errors and return them as text; shorten long results")
  void anyCallIsAnswered() {
    Random random = new Random(3);
    try (ToolSet set = set();
        ToolSession session = set.open(SEED)) {
      for (int i = 0; i < calls(); i++) {
        answered(session, call(set, random));
      }
    }
  }

  @ContractTest(
      value = "Calls of one session, and of several sessions, may run at the same time.",
      look = "call() and open(): state that is modified without synchronization")
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

  @ContractTest(
      value = "Sessions share no state: an episode never sees the calls of another.",
      look = "static fields, and fields of the set that call() modifies")
  void sessionsAreIsolated() {
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
          assertEquals(
              alone.get(i), answered(one, calls.get(i)), "result of an interleaved episode");
          assertEquals(
              alone.get(i), answered(other, calls.get(i)), "result of an interleaved episode");
        }
      }
    }
  }

  @ContractTest(
      value =
          "Sets with the same options are closed separately, and sets and sessions may be "
              + "closed twice.",
      look = "configure() and close(): resources that two sets share")
  void setsAreIndependent() {
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
      assertNotNull(result.observation(), () -> call + " has a null observation");
      int length = result.observation().length();
      assertTrue(
          length <= longest(),
          () -> call + " returns " + length + " characters, more than " + longest());
      assertNotNull(result.status(), () -> call + " has no status");
      return result;
    } catch (InterruptedException | RuntimeException e) {
      throw new AssertionError(call + " throws", e);
    }
  }
}
