package roll.tool.answer;

import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.api.tool.ToolSet;

/** A tool whose one argument, {@code answer}, is the final answer of the episode. */
final class AnswerTools {
  private AnswerTools() {}

  /**
   * Returns the answer tool {@code name}.
   *
   * @param argument description of the answer for the model
   */
  static ToolSet tool(String name, String description, String argument) {
    return ToolSet.of(
        ToolSchema.of(name, description, Argument.text("answer", argument)),
        arguments -> ToolResult.finish(String.valueOf(arguments.get("answer"))));
  }
}
