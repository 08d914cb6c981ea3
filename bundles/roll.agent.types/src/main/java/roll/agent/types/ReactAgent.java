package roll.agent.types;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.agent.RollAgentType;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;
import roll.text.call.ArgumentJson;
import roll.text.call.ArgumentJson.Refusal;
import roll.text.call.HermesParser;
import roll.text.call.ParsedToolCall;
import roll.text.call.ThinkTags;

/**
 * ReAct (Yao et al. 2022): a thought, the name of a tool, its arguments as JSON. Text after the
 * JSON, such as an invented observation, is dropped.
 */
@Component(name = "roll.agent.types.react")
@RollAgentType("react")
public final class ReactAgent implements AgentType {
  private static final Pattern ACTION_LINE = Pattern.compile("(?im)^[ \\t]*action[ \\t]*:");
  private static final Pattern ACTION = Pattern.compile("(?i)\\baction[ \\t]*:");
  private static final Pattern INPUT = Pattern.compile("(?i)\\b(?:action[ \\t]+)?input[ \\t]*:");
  private static final String AROUND = " \t*`'\"[].";
  private static final Pattern FENCE = Pattern.compile("^\\s*```\\w*");
  private static final Pattern FENCE_END = Pattern.compile("\\s*```");
  private static final Pattern OBSERVATION = Pattern.compile("(?im)^[ \\t]*observation[ \\t]*:");

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
    Lines lines = lines(response);
    return lines == null ? Reply.ANSWER : Reply.calling(List.of(call(lines)));
  }

  /** Keeps the text up to the end of the input; if that is malformed, up to an observation. */
  @Override
  public int kept(String response) {
    Lines lines = lines(response);
    if (lines == null) {
      return response.length();
    }
    Matcher observation = OBSERVATION.matcher(response);
    int end = end(lines.input());
    return end >= 0
        ? SingleCallMessage.kept(response, response.length() - lines.input().length() + end)
        : observation.find(lines.start()) ? observation.start() : response.length();
  }

  /** Returns the end of an input, including a fence around it; −1 if it is incomplete. */
  private static int end(String input) {
    int call = input.indexOf(HermesParser.OPEN);
    if (call >= 0 && input.substring(0, call).isBlank()) {
      return HermesParser.firstEnd(input);
    }
    Matcher fence = FENCE.matcher(input);
    boolean fenced = fence.find();
    int end = ArgumentJson.end(input, fenced ? fence.end() : 0);
    if (!fenced || end < 0) {
      return end;
    }
    Matcher close = FENCE_END.matcher(input).region(end, input.length());
    return close.lookingAt() ? close.end() : end;
  }

  /**
   * The lines of a ReAct tool call.
   *
   * @param action name of the tool
   * @param input text after {@code Input:}
   * @param start start of both in the message
   */
  private record Lines(String action, String input, int start) {}

  private static @Nullable Lines lines(String message) {
    int thought = ThinkTags.end(message);
    String response = message.substring(thought);
    Matcher line = ACTION_LINE.matcher(response);
    boolean own = line.find();
    Matcher action = own ? line : ACTION.matcher(response);
    if (!own && !action.find()) {
      return null;
    }
    String said = response.substring(action.end());
    Matcher input = INPUT.matcher(said);
    boolean given = input.find();
    if (!given && !own) {
      return null; // a sentence with a colon
    }
    String name = name(given ? said.substring(0, input.start()) : said);
    String after = given ? said.substring(input.end()) : "";
    return new Lines(name, after, thought + action.end());
  }

  /** Returns the first line, without punctuation around the name. */
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

  private static ToolCall call(Lines lines) {
    String action = lines.action();
    String input = lines.input().strip();
    if (input.startsWith(HermesParser.OPEN)) {
      return ToolCallTags.read(input, 1).getFirst();
    }
    try {
      Map<String, Object> object = ArgumentJson.first(FENCE.matcher(input).replaceFirst(""));
      if (full(object)) {
        return ParsedToolCall.of(object);
      }
      return action.isEmpty()
          ? ParsedToolCall.malformed("", new Refusal("Action: names no tool"))
          : ToolCall.of(action, object);
    } catch (Refusal e) {
      return ParsedToolCall.malformed(action, e);
    }
  }

  /** Returns whether an input has name and arguments of the call. */
  private static boolean full(Map<String, Object> input) {
    return input.keySet().equals(Set.of("name", "arguments"))
        && input.get("name") instanceof String
        && (input.get("arguments") instanceof Map || input.get("arguments") instanceof String);
  }

  /** Writes a message with one call; without any, the thought alone, unchanged. */
  @Override
  public String write(String thought, List<ToolCall> calls) {
    return SingleCallMessage.of(calls).map(call -> written(thought, call)).orElse(thought);
  }

  private static String written(String thought, ToolCall call) {
    // arguments that look as if they named their tool are written with it
    String input =
        full(call.arguments()) ? ToolCallWriter.write(call) : ToolCallWriter.line(call.arguments());
    return "Thought: " + thought + "\nAction: " + ToolCallWriter.name(call) + "\nInput: " + input;
  }
}
