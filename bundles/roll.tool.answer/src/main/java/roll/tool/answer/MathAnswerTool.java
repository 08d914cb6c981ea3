package roll.tool.answer;

import org.osgi.service.component.annotations.Component;
import roll.api.option.Options;
import roll.api.tool.RollTool;
import roll.api.tool.Tool;
import roll.api.tool.ToolSet;

/** Submits the answer to a mathematical problem and ends the episode. */
@Component(name = "roll.tool.answer_math")
@RollTool("answer_math")
public final class MathAnswerTool implements Tool {
  @Override
  public String description() {
    return "Gives the answer to a mathematical problem and ends the episode.";
  }

  @Override
  public ToolSet configure(Options options) {
    return AnswerTools.tool(
        "answer_math",
        "Give the final answer to the mathematical problem. Call this once you know it; nothing can"
            + " be called afterwards.",
        "The final answer: a number or an expression, without words.");
  }
}
