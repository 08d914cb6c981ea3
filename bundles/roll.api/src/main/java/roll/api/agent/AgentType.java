package roll.api.agent;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;

/**
 * How an agent and its tools talk: what the model is told of them, and where calls are in what it
 * writes. Stateless; called from many threads at once.
 */
@ConsumerType
public interface AgentType {
  /** One sentence: the format of a call. */
  String description();

  /**
   * Whether the chat template lists the tools; otherwise {@link #instruction} says all there is to
   * say.
   */
  boolean listsTools();

  /** What the system message says after the user's own words; may be empty. */
  String instruction(List<ToolSchema> tools);

  /**
   * What a response asks for.
   *
   * @param response a whole message of the model, without special tokens
   * @param tools that it may call
   */
  Reply read(String response, List<ToolSchema> tools);

  /**
   * A message that makes {@code calls}, as a model that knows this format would write it.
   *
   * @param thought what is said before; may be empty
   */
  String write(String thought, List<ToolCall> calls);
}
