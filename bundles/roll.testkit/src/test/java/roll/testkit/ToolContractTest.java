package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import roll.api.option.Options;
import roll.api.tool.Tool;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;

/** The contract accepts a correct tool (the inherited tests) and finds the faults of others. */
class ToolContractTest extends ToolContract {
  private static final ToolSchema ECHO =
      ToolSchema.of(
          "echo",
          "Says it again.",
          Argument.text("text", "what"),
          new Argument("times", "integer", "how often"));

  @Override
  protected Tool tool() {
    return giving(() -> ToolSet.of(ECHO, ToolContractTest::echo));
  }

  private static ToolResult echo(Map<String, Object> arguments) {
    return ToolResult.of(arguments.get("text") + " " + arguments.get("times"));
  }

  @Test
  void findsSchemasThatAreNone() {
    for (ToolSchema schema :
        List.of(
            new ToolSchema("t", "does", Map.of("type", "object")),
            new ToolSchema("t", "does", Map.of("properties", Map.of())),
            new ToolSchema("t", " ", ECHO.parameters()),
            new ToolSchema("two words", "does", ECHO.parameters()))) {
      ToolContract contract = contract(() -> ToolSet.of(schema, ToolContractTest::echo));
      contract.describesItself();
      assertThrows(AssertionError.class, contract::schemasAreComplete, schema::toString);
    }
  }

  @Test
  void findsToolsThatThrow() {
    ToolContract contract =
        contract(
            () ->
                ToolSet.of(
                    ECHO,
                    arguments -> {
                      long times = (Long) arguments.get("times");
                      return ToolResult.of("" + Math.multiplyExact(times, 2));
                    }));
    contract.schemasAreComplete();
    assertThrows(AssertionError.class, contract::anyCallIsAnswered);
  }

  @Test
  void findsAnswersWithoutEnd() {
    ToolContract contract =
        contract(
            () ->
                ToolSet.of(
                    ECHO,
                    arguments -> ToolResult.of(arguments.get("text").toString().repeat(1_000))));
    assertThrows(AssertionError.class, contract::anyCallIsAnswered);
  }

  @Test
  void findsEpisodesThatSeeEachOther() {
    ToolContract contract =
        contract(
            () -> {
              AtomicInteger calls = new AtomicInteger();
              return ToolSet.of(ECHO, arguments -> ToolResult.of("call " + calls.addAndGet(1)));
            });
    contract.anyCallIsAnswered();
    assertThrows(AssertionError.class, contract::sessionsAreIsolated);
  }

  @Test
  void findsSetsThatCloseEachOther() {
    AtomicBoolean closed = new AtomicBoolean();
    ToolContract contract = contract(() -> new Closing(closed));
    assertThrows(AssertionError.class, contract::setsAreIndependent);
  }

  /** A set that shares the resource it closes with other sets. */
  private record Closing(AtomicBoolean closed) implements ToolSet {
    @Override
    public List<ToolSchema> tools() {
      return List.of(ECHO);
    }

    @Override
    public ToolSession open(long seed) {
      return (tool, arguments) -> {
        if (closed.get()) {
          throw new IllegalStateException("closed");
        }
        return echo(arguments);
      };
    }

    @Override
    public void close() {
      closed.set(true);
    }
  }

  private static ToolContract contract(Supplier<ToolSet> sets) {
    return new ToolContract() {
      @Override
      protected Tool tool() {
        return giving(sets);
      }
    };
  }

  private static Tool giving(Supplier<ToolSet> sets) {
    return new Tool() {
      @Override
      public String description() {
        return "for tests";
      }

      @Override
      public ToolSet configure(Options options) {
        return sets.get();
      }
    };
  }
}
