package roll.tool.answer;

import org.osgi.service.component.annotations.Component;
import roll.api.option.Options;
import roll.api.tool.RollTool;
import roll.api.tool.Tool;
import roll.api.tool.ToolSet;

/** Submits the final answer and ends the episode. */
@Component(name = "roll.tool.answer")
@RollTool("answer")
public final class AnswerTool implements Tool {
  @Override
  public String description() {
    return "Gives the answer and ends the episode.";
  }

  @Override
  public ToolSet configure(Options options) {
    return AnswerTools.tool(
        "answer",
        "Give the final answer. Call this once you know it; nothing can be called afterwards.",
        "The final answer.");
  }
}
