package roll.tool.answer;

import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.api.tool.ToolSet;

/** A tool whose one argument, {@code answer}, is the last word of the episode. */
final class Finishing {
  private Finishing() {}

  /**
   * The tool {@code name}.
   *
   * @param argument what the answer should be, for the model
   */
  static ToolSet tool(String name, String description, String argument) {
    return ToolSet.of(
        ToolSchema.of(name, description, Argument.text("answer", argument)),
        arguments -> ToolResult.finish(String.valueOf(arguments.get("answer"))));
  }
}
