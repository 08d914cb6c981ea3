package roll.api.agent;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.image.PictureScale;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;

/**
 * The format of tool calls: how tools are described to the model, and how calls are parsed from its
 * responses. Stateless; called from many threads at once.
 */
@ConsumerType
public interface AgentType {
  /** One sentence that describes the format of a call. */
  String description();

  /**
   * Whether the chat template lists the tools; otherwise {@link #instruction} describes them
   * completely.
   */
  boolean listsTools();

  /** Text that is appended to the system message; may be empty. */
  String instruction(List<ToolSchema> tools);

  /**
   * Parses a response.
   *
   * @param response a complete message of the model, without special tokens
   * @param tools the tools the model may call
   */
  Reply read(String response, List<ToolSchema> tools);

  /**
   * Number of characters of {@code response} that are kept; the rest is dropped before the episode
   * continues and is not trained on. For formats in which a message ends with its call, so that
   * results a model hallucinates after the call do not count. By default the whole response is
   * kept.
   *
   * @param response a whole message of the model, without special tokens
   */
  default int kept(String response) {
    return response.length();
  }

  /** Whether responses contain coordinates of the picture the model sees; false by default. */
  default boolean pointsAtPictures() {
    return false;
  }

  /**
   * The action the environment receives for a final response: by default the response itself.
   * Coordinates of the picture as the model sees it are converted to coordinates of the original
   * picture.
   *
   * @param response a complete message of the model, with special tokens if the environment reads
   *     them
   * @param scale scale of the picture of this turn; null if there was none or the format has no
   *     coordinates
   */
  default String answer(String response, @Nullable PictureScale scale) {
    return response;
  }

  /**
   * Formats a message with {@code calls} as a model trained on this format would write it.
   *
   * @param thought text before the calls; may be empty
   */
  String write(String thought, List<ToolCall> calls);
}
