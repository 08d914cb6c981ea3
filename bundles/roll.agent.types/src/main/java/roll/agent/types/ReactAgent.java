package roll.agent.types;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.service.component.annotations.Component;
import roll.agent.types.ArgumentJson.Refusal;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.agent.RollAgentType;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;

/**
 * ReAct (Yao et al. 2022): a thought, the name of a tool, its arguments as JSON. What follows the
 * JSON, as an observation that the model makes up, is not read.
 */
@Component(name = "roll.agent.types.react")
@RollAgentType("react")
public final class ReactAgent implements AgentType {
  private static final Pattern ACTION_LINE = Pattern.compile("(?im)^[ \\t]*action[ \\t]*:");
  private static final Pattern ACTION = Pattern.compile("(?i)\\baction[ \\t]*:");
  private static final Pattern INPUT = Pattern.compile("(?i)\\b(?:action[ \\t]+)?input[ \\t]*:");
  private static final String AROUND = " \t*`'\"[].";
  private static final Pattern FENCE = Pattern.compile("^```\\w*");

  @Override
  public String description() {
    return "One call as the lines Thought:, Action: and Input:, the input as JSON.";
  }

  @Override
  public boolean listsTools() {
    return false;
  }

  @Override
  public String instruction(List<ToolSchema> tools) {
    return """
    Solve the task step by step. To use a tool, end your message with these lines:
    Thought: what you think
    Action: name of the tool
    Input: its arguments as a JSON object
    You are then told what came of it. Use one tool a message. When you know the answer, give it \
    without Action and Input.
    The tools are:
    """
        + JsonTexts.lines(tools.stream().map(ToolSchema::listed).toList());
  }

  @Override
  public Reply read(String response, List<ToolSchema> tools) {
    Matcher line = ACTION_LINE.matcher(response);
    boolean own = line.find();
    Matcher action = own ? line : ACTION.matcher(response);
    if (!own && !action.find()) {
      return Reply.ANSWER;
    }
    String said = response.substring(action.end());
    Matcher input = INPUT.matcher(said);
    boolean given = input.find();
    if (!given && !own) {
      return Reply.ANSWER; // a sentence with a colon
    }
    String name = name(given ? said.substring(0, input.start()) : said);
    return Reply.calling(List.of(call(name, given ? said.substring(input.end()).strip() : "")));
  }

  /** The first line, without the marks that models put around a name. */
  private static String name(String action) {
    String line = action.strip().lines().findFirst().orElse("");
    int start = 0;
    int end = line.length();
    while (start < end && AROUND.indexOf(line.charAt(start)) >= 0) {
      start++;
    }
    while (start < end && AROUND.indexOf(line.charAt(end - 1)) >= 0) {
      end--;
    }
    return line.substring(start, end);
  }

  private static ToolCall call(String action, String input) {
    if (input.startsWith(ToolCallTags.START)) {
      return ToolCallTags.read(input, 1).getFirst();
    }
    try {
      Map<String, Object> object = ArgumentJson.first(FENCE.matcher(input).replaceFirst(""));
      if (full(object)) {
        return CallJson.of(object);
      }
      return action.isEmpty()
          ? CallJson.malformed("", new Refusal("Action: names no tool"))
          : ToolCall.of(action, object);
    } catch (Refusal e) {
      return CallJson.malformed(action, e);
    }
  }

  /** Whether an input names its tool itself. */
  private static boolean full(Map<String, Object> input) {
    return input.keySet().equals(Set.of("name", "arguments"))
        && input.get("name") instanceof String
        && (input.get("arguments") instanceof Map || input.get("arguments") instanceof String);
  }

  /** A message with one call; without any the thought alone, as it is. */
  @Override
  public String write(String thought, List<ToolCall> calls) {
    return Single.of(calls).map(call -> lines(thought, call)).orElse(thought);
  }

  private static String lines(String thought, ToolCall call) {
    // arguments that look as if they named their tool are written with it
    String input = full(call.arguments()) ? CallJson.write(call) : CallJson.line(call.arguments());
    return "Thought: " + thought + "\nAction: " + CallJson.name(call) + "\nInput: " + input;
  }
}
