package {{basePackageName}};

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.tool.Tool;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.testkit.TestOptions;
import roll.testkit.ToolContract;

/** The contract of all tools, and sums computed by hand. */
class {{className}}ToolTest extends ToolContract {
  @Override
  protected Tool tool() {
    return new {{className}}Tool();
  }

  private static ToolResult ask(Map<String, Object> options, String expression)
      throws InterruptedException {
    Tool tool = new {{className}}Tool();
    try (ToolSet set = tool.configure(TestOptions.of("tool_config", options, tool.options()));
        ToolSession episode = set.open(1)) {
      return episode.call("{{projectName}}", Map.of("expression", expression));
    }
  }

  @Test
  void computes() throws InterruptedException {
    assertEquals(ToolResult.of("150"), ask(Map.of(), "7A + 1C"));
    assertEquals(ToolResult.of("-1"), ask(Map.of(), " fe-FF "));
    assertEquals(ToolResult.of("8589934590"), ask(Map.of(), "ffffffff + FFFFFFFF"));
  }

  @Test
  void tellsWhatItCannotRead() throws InterruptedException {
    for (String none : new String[] {"", "7A", "7A + ", "7G + 1", "1 * 2", "1 + 2 + 3"}) {
      assertEquals(
          ToolResult.error("Error: '" + none + "' is not such as 7A + 1C"), ask(Map.of(), none));
    }
    assertEquals(
        ToolResult.error("Error: a number has more than 2 digits"),
        ask(Map.of("digits", 2), "7A0 + 1"));
  }
}
