package roll.agent.types;

import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Component;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.agent.RollAgentType;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;
import roll.text.call.ThinkTags;

/**
 * Calls tools by Python: a message with exactly one {@code python} block is a call, any other is
 * the answer. The block is run by the tool {@code code_interpreter}, or by {@code python_executor}
 * if only that is available.
 */
@Component(name = "roll.agent.types.code")
@RollAgentType("code")
public final class CodeAgent implements AgentType {
  private static final List<String> RUNNERS = List.of("code_interpreter", "python_executor");
  private static final String ARGUMENT = "code";

  @Override
  public String description() {
    return "Exactly one ```python block per message, run by code_interpreter or python_executor.";
  }

  @Override
  public boolean listsTools() {
    return false;
  }

  @Override
  public String instruction(List<ToolSchema> tools) {
    return """
    Solve the task step by step. To run Python, write one block in a message:
    ```python
    print(6 * 7)
    ```
    The tool %s runs it, and you are told what it prints. Write exactly one block a message. When \
    you know the answer, give it without a block.\
    """
        .formatted(runner(tools));
  }

  private static String runner(List<ToolSchema> tools) {
    return RUNNERS.stream()
        .filter(name -> tools.stream().anyMatch(tool -> tool.name().equals(name)))
        .findFirst()
        .orElse(RUNNERS.getFirst());
  }

  @Override
  public Reply read(String response, List<ToolSchema> tools) {
    List<String> blocks = CodeFences.read(response.substring(ThinkTags.end(response)), "python");
    return blocks.size() == 1
        ? Reply.calling(List.of(ToolCall.of(runner(tools), Map.of(ARGUMENT, blocks.getFirst()))))
        : Reply.ANSWER;
  }

  /**
   * Returns a message with one block; without a call the thought, unchanged.
   *
   * @throws IllegalArgumentException if the call is not code
   */
  @Override
  public String write(String thought, List<ToolCall> calls) {
    return SingleCallMessage.of(calls)
        .map(
            call ->
                (thought.isEmpty() ? "" : thought + "\n") + CodeFences.write(code(call), "python"))
        .orElse(thought);
  }

  private static String code(ToolCall call) {
    if (RUNNERS.contains(ToolCallWriter.name(call))
        && call.arguments().size() == 1
        && call.arguments().get(ARGUMENT) instanceof String code) {
      return code;
    }
    throw new IllegalArgumentException("a message of code cannot call " + call);
  }
}
