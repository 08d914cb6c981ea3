package roll.api.rollout;

import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.data.Message;
import roll.api.image.ImageSize;
import roll.api.option.UserException;
import roll.api.tool.ToolSchema;

/**
 * Tokenizes a conversation incrementally, so that nothing is tokenized twice: the opening, then
 * after each response the text up to the next one. The tokens of a response never change.
 */
@ProviderType
public interface ChatFormat {
  /**
   * The tokens from the start of the conversation up to the first response.
   *
   * @throws roll.api.option.UserException if there are pictures and the model has no vision, the
   *     format has no image tokens, or one is corrupt
   */
  int[] opening(List<Message> messages);

  /**
   * Like {@link #opening(List)}, with a list of tools.
   *
   * @throws roll.api.option.UserException if there are tools and the format cannot list them
   */
  int[] opening(List<Message> messages, List<ToolSchema> tools);

  /**
   * Like {@link #opening(List, List)}, with tools in the JSON form of an OpenAI client: the chat
   * template receives them unchanged.
   *
   * @throws roll.api.option.UserException if there are tools and the format cannot list them
   */
  default int[] openingAsSent(List<Message> messages, List<?> tools) {
    if (tools.isEmpty()) {
      return opening(messages);
    }
    throw new UserException("this chat format cannot list tools");
  }

  /**
   * The tokens of a complete conversation, without a generation prompt.
   *
   * @throws roll.api.option.UserException as {@link #opening(List)}
   */
  int[] whole(List<Message> messages);

  /**
   * The tokens between a response and the next: the end of the response's turn, unless the response
   * contains it, then {@code messages}.
   *
   * @param response the sampled tokens
   * @param messages the messages in between
   */
  int[] between(int[] response, List<Message> messages);

  /**
   * Id of the image token that is repeated for a picture; −1 if the model has no vision. Then
   * messages with pictures are refused.
   */
  default int imageToken() {
    return -1;
  }

  /**
   * The size of a picture of this size after resizing; the same size if the model has no vision.
   */
  default ImageSize seen(ImageSize picture) {
    return picture;
  }

  /**
   * Returns this chat format with {@code variables} of its chat template that override its own.
   *
   * @throws UserException if there are variables and the format has no template
   */
  default ChatFormat with(Map<String, ?> variables) {
    if (variables.isEmpty()) {
      return this;
    }
    throw new UserException(
        "this chat format has no chat_template_kwargs (data_args.template: native has)");
  }

  /** Ids of the tokens that end a response; the one that the format itself writes comes first. */
  List<Integer> stops();
}
