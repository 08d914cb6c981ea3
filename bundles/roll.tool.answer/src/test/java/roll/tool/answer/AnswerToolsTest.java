package roll.tool.answer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import roll.api.option.Option;
import roll.api.tool.Tool;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.testkit.TestOptions;
import roll.testkit.ToolContract;

class AnswerToolsTest {
  @Test
  void theTextIsTheAnswer() throws Exception {
    Map<String, Tool> tools =
        Map.of(
            "answer", new AnswerTool(),
            "answer_math", new MathAnswerTool(),
            "answer_qa", new QaAnswerTool());
    for (Map.Entry<String, Tool> tool : tools.entrySet()) {
      try (ToolSet set = tool.getValue().configure(TestOptions.defaults(List.of()));
          ToolSession session = set.open(1)) {
        assertEquals(tool.getKey(), set.tools().getFirst().name());
        assertEquals(List.of("answer"), set.tools().getFirst().required());
        assertEquals(
            ToolResult.finish(" 1/2\n"), session.call(tool.getKey(), Map.of("answer", " 1/2\n")));
      }
    }
  }

  @Test
  void thereAreNoOptions() {
    List<Option<?>> none = new AnswerTool().options();
    assertEquals(
        "tool_config.answer: unknown key 'a' (allowed: none)",
        userError(() -> TestOptions.of("tool_config.answer", Map.of("a", 1), none)));
  }

  @Nested
  class Answer extends ToolContract {
    @Override
    protected Tool tool() {
      return new AnswerTool();
    }
  }

  @Nested
  class Mathematics extends ToolContract {
    @Override
    protected Tool tool() {
      return new MathAnswerTool();
    }
  }

  @Nested
  class Qa extends ToolContract {
    @Override
    protected Tool tool() {
      return new QaAnswerTool();
    }
  }
}
