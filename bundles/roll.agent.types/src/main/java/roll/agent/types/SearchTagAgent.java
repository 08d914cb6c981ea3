package roll.agent.types;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.osgi.service.component.annotations.Component;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.agent.RollAgentType;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;
import roll.text.call.ThinkTags;

/**
 * Searches by the tags of Search-R1 (Jin et al. 2025, arXiv:2503.09516): {@code <search>what to
 * look for</search>} calls the tool {@code search}. What follows the first end of a search, or of
 * an answer in {@code <answer>} tags, is not read; nor is the thought that a message begins with.
 */
@Component(name = "roll.agent.types.searchr1")
@RollAgentType("searchr1")
public final class SearchTagAgent implements AgentType {
  private static final String TOOL = "search";
  private static final String ARGUMENT = "query";
  private static final String START = "<search>";
  private static final String END = "</search>";
  private static final String ANSWERED = "</answer>";

  @Override
  public String description() {
    return "One search a message, between <search> and </search>, made by the tool search.";
  }

  @Override
  public boolean listsTools() {
    return false;
  }

  @Override
  public String instruction(List<ToolSchema> tools) {
    return """
    To look something up with the tool search, write <search> what to look for </search> and end \
    your message: you are then told what was found. When you know the answer, give it without \
    these tags.\
    """;
  }

  @Override
  public Reply read(String message, List<ToolSchema> tools) {
    String response = message.substring(ThinkTags.end(message));
    int start = response.indexOf(START);
    int answered = response.indexOf(ANSWERED);
    if (start < 0 || (answered >= 0 && answered < start)) {
      return Reply.ANSWER;
    }
    int end = response.indexOf(END, start);
    if (end < 0) {
      return answered < 0 ? malformed("it does not end with " + END) : Reply.ANSWER;
    }
    String query = response.substring(start + START.length(), end).strip();
    return query.isEmpty()
        ? malformed("it asks for nothing")
        : Reply.calling(List.of(ToolCall.of(TOOL, Map.of(ARGUMENT, query))));
  }

  /** Keeps a response up to the end of its search tag. */
  @Override
  public int kept(String response) {
    int thought = ThinkTags.end(response);
    boolean searches = read(response, List.of()).executed();
    int end = searches ? response.indexOf(END, response.indexOf(START, thought)) : -1;
    return SingleCallMessage.kept(response, end < 0 ? -1 : end + END.length());
  }

  private static Reply malformed(String problem) {
    return Reply.calling(
        List.of(ToolCall.malformed(TOOL, "Invalid " + START + ": " + problem + ".")));
  }

  /**
   * Writes a message with one search; without any, the thought alone, unchanged.
   *
   * @throws IllegalArgumentException if the call is no search, or one that the tags cannot say
   */
  @Override
  public String write(String thought, List<ToolCall> calls) {
    return SingleCallMessage.of(calls)
        .map(
            call ->
                (thought.isEmpty() ? "" : thought + "\n") + START + " " + query(call) + " " + END)
        .orElse(thought);
  }

  private static String query(ToolCall call) {
    if (ToolCallWriter.name(call).equals(TOOL)
        && call.arguments().keySet().equals(Set.of(ARGUMENT))
        && call.arguments().get(ARGUMENT) instanceof String query
        && query.equals(query.strip())
        && !query.isEmpty()
        && !query.contains(END)
        && !query.contains(ANSWERED)) {
      return query;
    }
    throw new IllegalArgumentException("a message of search tags cannot call " + call);
  }
}
