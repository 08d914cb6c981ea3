package roll.api.agent;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.image.PictureScale;
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
   * How many characters of {@code response} are kept: what follows is dropped before the episode
   * goes on, and nobody is trained on it. For formats in which a message ends with its call, so
   * that results which a model makes up behind it do not count. By default all are.
   *
   * @param response a whole message of the model, without special tokens
   */
  default int kept(String response) {
    return response.length();
  }

  /** Whether responses say places of the picture that the model is shown; by default not. */
  default boolean pointsAtPictures() {
    return false;
  }

  /**
   * What the world reads of a response that is the answer: the response itself, as by default; of
   * one that says places of a picture as the model sees it, the same with places of the picture
   * itself.
   *
   * @param response a whole message of the model, special tokens among it where the world reads
   *     them
   * @param scale of the picture that the model was shown in this turn; null where there was none,
   *     or no places are said
   */
  default String answer(String response, @Nullable PictureScale scale) {
    return response;
  }

  /**
   * A message that makes {@code calls}, as a model that knows this format would write it.
   *
   * @param thought what is said before; may be empty
   */
  String write(String thought, List<ToolCall> calls);
}
