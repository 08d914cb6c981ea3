package roll.agent.types;

import java.util.List;
import roll.api.tool.ToolCall;
import roll.text.call.HermesParser;
import roll.text.call.HermesPart;
import roll.text.call.ParsedToolCall;

/** Calls between {@code <tool_call>} and {@code </tool_call>}, as Hermes and Qwen models write. */
final class ToolCallTags {
  private ToolCallTags() {}

  /** Writes the tool call with its tags, on three lines. */
  static String write(ToolCall call) {
    return HermesParser.OPEN + "\n" + ToolCallWriter.write(call) + "\n" + HermesParser.CLOSE;
  }

  /**
   * The first calls in {@code text}, outside of its thoughts; a last one without its end is
   * malformed.
   *
   * @param most no more than these
   */
  static List<ToolCall> read(String text, int most) {
    return HermesParser.blocks(text).stream()
        .limit(most)
        .map((HermesPart.Block block) -> ParsedToolCall.of(block).call())
        .toList();
  }
}
