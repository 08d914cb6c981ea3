package roll.tool.answer;

import org.osgi.service.component.annotations.Component;
import roll.api.option.Options;
import roll.api.tool.RollTool;
import roll.api.tool.Tool;
import roll.api.tool.ToolSet;

/** Submits the short answer to a question and ends the episode. */
@Component(name = "roll.tool.answer_qa")
@RollTool("answer_qa")
public final class QaAnswerTool implements Tool {
  @Override
  public String description() {
    return "Gives the short answer to a question and ends the episode.";
  }

  @Override
  public ToolSet configure(Options options) {
    return AnswerTools.tool(
        "answer_qa",
        "Give the final answer to the question. Call this once you know it; nothing can be called"
            + " afterwards.",
        "The final answer: a name, a date, yes or no, as short as possible.");
  }
}
