package roll.agent.types;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import roll.api.agent.AgentType;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.testkit.AgentTypeContract;

/** All types keep the contract. */
class ContractTest {
  /** The contract of a format with one call per message. */
  abstract static class SingleCallContract extends AgentTypeContract {
    @Override
    protected int mostCalls() {
      return 1;
    }
  }

  @Nested
  class Hf extends AgentTypeContract {
    @Override
    protected AgentType type() {
      return new HfAgent();
    }
  }

  @Nested
  class Think extends SingleCallContract {
    @Override
    protected AgentType type() {
      return new ThinkAgent();
    }
  }

  @Nested
  class React extends SingleCallContract {
    @Override
    protected AgentType type() {
      return new ReactAgent();
    }

    @Override
    protected ToolCall call(Random random) {
      // arguments that look like a whole call
      return random.nextInt(10) > 0
          ? super.call(random)
          : ToolCall.of("search", Map.of("name", "other", "arguments", Map.of("a", 1L)));
    }
  }

  @Nested
  class Code extends SingleCallContract {
    @Override
    protected AgentType type() {
      return new CodeAgent();
    }

    @Override
    protected List<ToolSchema> tools() {
      return List.of(ToolSchema.of("python_executor", "Runs it.", Argument.text("code", "Python")));
    }

    @Override
    protected ToolCall call(Random random) {
      return ToolCall.of("python_executor", Map.of("code", text(random)));
    }
  }

  @Nested
  class SearchTags extends SingleCallContract {
    @Override
    protected AgentType type() {
      return new SearchTagAgent();
    }

    @Override
    protected List<ToolSchema> tools() {
      return List.of(ToolSchema.of("search", "Looks things up.", Argument.text("query", "what")));
    }

    @Override
    protected ToolCall call(Random random) {
      return ToolCall.of("search", Map.of("query", ("q" + text(random)).strip()));
    }
  }

  @Nested
  class Gui extends SingleCallContract {
    @Override
    protected AgentType type() {
      return new GuiAgent();
    }

    @Override
    protected List<ToolSchema> tools() {
      return List.of();
    }

    @Override
    protected boolean executed() {
      return false;
    }

    @Override
    protected ToolCall call(Random random) {
      List<Object> point = List.of(random.nextLong(-9, 2000), random.nextGaussian());
      return switch (random.nextInt(6)) {
        case 0 -> ToolCall.of("left_double", Map.of("start_box", point));
        case 1 -> ToolCall.of("drag", Map.of("start_box", point, "end_box", List.of(0L, 0.5)));
        case 2 -> ToolCall.of("scroll", Map.of("start_box", point, "direction", "down"));
        case 3 -> ToolCall.of("wait", Map.of());
        case 4 -> ToolCall.of("hotkey", Map.of("key", text(random)));
        default -> ToolCall.of("type", Map.of("content", text(random)));
      };
    }
  }
}
