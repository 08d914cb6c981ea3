package roll.api.rollout;

import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.data.Message;
import roll.api.image.ImageSize;
import roll.api.option.UserException;
import roll.api.tool.ToolSchema;

/**
 * How a conversation becomes tokens for the model, piece by piece, so that nothing is tokenized
 * twice: the opening, then after each response the text up to the next one. A response itself is
 * never changed.
 */
@ProviderType
public interface ChatFormat {
  /**
   * The tokens from the start of the conversation up to the first response.
   *
   * @throws roll.api.option.UserException if there are pictures, and the model does not see, the
   *     format has no places for them, or one is broken
   */
  int[] opening(List<Message> messages);

  /**
   * The same with tools listed, as the format lists them.
   *
   * @throws roll.api.option.UserException if there are tools, and it lists none
   */
  int[] opening(List<Message> messages, List<ToolSchema> tools);

  /**
   * The same with tools as a client of OpenAI's interface sent them: the chat template is given
   * what was sent, whatever it has beside name, description and parameters.
   *
   * @throws roll.api.option.UserException if there are tools, and it lists none
   */
  default int[] openingAsSent(List<Message> messages, List<?> tools) {
    if (tools.isEmpty()) {
      return opening(messages);
    }
    throw new UserException("this chat format lists no tools");
  }

  /**
   * The tokens of a whole conversation, with no response begun behind it.
   *
   * @throws roll.api.option.UserException as {@link #opening(List)}
   */
  int[] whole(List<Message> messages);

  /**
   * The tokens between a response and the next: the end of the response's turn, as far as the
   * response does not have it, then {@code messages}.
   *
   * @param response its tokens as they were sampled
   * @param messages what is said in between
   */
  int[] between(int[] response, List<Message> messages);

  /**
   * Id of the token that holds a picture's places, as many one after the other as the picture has;
   * −1 where the model does not see. Then messages with pictures are refused.
   */
  default int imageToken() {
    return -1;
  }

  /** The size in which the model sees a picture of this size; the same where it does not see. */
  default ImageSize seen(ImageSize picture) {
    return picture;
  }

  /**
   * This format with {@code variables} of its chat template over its own.
   *
   * @throws UserException if there are some, and it has no template that sees them
   */
  default ChatFormat with(Map<String, ?> variables) {
    if (variables.isEmpty()) {
      return this;
    }
    throw new UserException(
        "this chat format has no chat_template_kwargs (data_args.template: native has)");
  }

  /** Ids of the tokens that end a response, the one that the format itself writes first. */
  List<Integer> stops();
}
