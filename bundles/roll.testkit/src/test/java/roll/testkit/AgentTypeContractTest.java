package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;

/**
 * The contract accepts a correct agent type (the inherited tests) and finds the faults of others.
 */
class AgentTypeContractTest extends AgentTypeContract {
  @Override
  protected AgentType type() {
    return new Saying(UnaryOperator.identity());
  }

  @Override
  protected int mostCalls() {
    return 1;
  }

  @Override
  protected ToolCall call(Random random) {
    return said(random);
  }

  @Test
  void findsToolsMissingInTheInstruction() {
    AgentTypeContract contract =
        contract(
            new Saying(UnaryOperator.identity()) {
              @Override
              public String instruction(List<ToolSchema> tools) {
                return "Use search.";
              }
            });
    contract.describesItself();
    assertThrows(AssertionError.class, contract::everyToolIsInTheInstruction);
  }

  @Test
  void findsReadersThatThrow() {
    Saying saying = new Saying(UnaryOperator.identity());
    AgentTypeContract contract = reading(text -> saying.read(text.substring(1), List.of()));
    assertThrows(RuntimeException.class, contract::anyTextIsRead);
  }

  @Test
  void findsReadersThatRemember() {
    AtomicInteger read = new AtomicInteger();
    AgentTypeContract contract = reading(_ -> calling(Map.of("n", (long) read.getAndIncrement())));
    assertThrows(AssertionError.class, contract::anyTextIsRead);
    assertThrows(AssertionError.class, contract::plainWordsAreTheAnswer);
  }

  @Test
  void findsValuesThatJsonCannotHold() {
    AgentTypeContract contract = reading(_ -> calling(Map.of("n", 1)));
    assertThrows(AssertionError.class, contract::anyTextIsRead);
  }

  @Test
  void findsWritersThatLoseSomething() {
    AgentTypeContract contract = contract(new Saying(String::strip));
    contract.anyTextIsRead();
    assertThrows(AssertionError.class, contract::whatIsWrittenIsRead);
    assertThrows(AssertionError.class, contract::manyThreadsMayRead);
  }

  private static ToolCall said(Random random) {
    return ToolCall.of("search", Map.of("query", text(random)));
  }

  private static Reply calling(Map<String, Object> arguments) {
    return Reply.calling(List.of(ToolCall.of("t", arguments)));
  }

  /** Returns the contract for an agent type that parses responses with {@code reader}. */
  private static AgentTypeContract reading(Function<String, Reply> reader) {
    return contract(
        new Saying(UnaryOperator.identity()) {
          @Override
          public Reply read(String response, List<ToolSchema> tools) {
            return reader.apply(response);
          }
        });
  }

  private static AgentTypeContract contract(AgentType type) {
    return new AgentTypeContract() {
      @Override
      protected AgentType type() {
        return type;
      }

      @Override
      protected int mostCalls() {
        return 1;
      }

      @Override
      protected ToolCall call(Random random) {
        return said(random);
      }
    };
  }

  /** An agent type with one tool, called with all text after a mark. */
  private static class Saying implements AgentType {
    private static final String MARK = "SEARCH ";
    private final UnaryOperator<String> change;

    Saying(UnaryOperator<String> change) {
      this.change = change;
    }

    @Override
    public String description() {
      return "for tests";
    }

    @Override
    public boolean listsTools() {
      return false;
    }

    @Override
    public String instruction(List<ToolSchema> tools) {
      return String.join(" ", tools.stream().map(ToolSchema::name).toList());
    }

    @Override
    public Reply read(String response, List<ToolSchema> tools) {
      int at = response.indexOf(MARK);
      return at < 0
          ? Reply.ANSWER
          : Reply.calling(
              List.of(
                  ToolCall.of("search", Map.of("query", response.substring(at + MARK.length())))));
    }

    @Override
    public String write(String thought, List<ToolCall> calls) {
      return calls.isEmpty()
          ? thought
          : thought
              + MARK
              + change.apply((String) calls.getFirst().arguments().getOrDefault("query", ""));
    }
  }
}
