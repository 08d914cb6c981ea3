package roll.rollout.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.image.Picture;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.runtime.vision.PictureTokens;

/**
 * Tokenizes rendered prompts with their pictures.
 *
 * @param tokens image tokens of the model; null if it has no vision
 * @param tokenizer of the model
 */
record PromptEncoder(@Nullable PictureTokens tokens, Tokenizer tokenizer) {
  /**
   * Returns {@code messages} as the chat template renders them.
   *
   * @throws UserException if one has a picture and the model has no vision
   */
  List<Message> messages(List<Message> messages) {
    PictureTokens seen = tokens;
    if (seen != null) {
      return messages.stream().map(seen::guarded).toList();
    }
    if (!Message.pictures(messages).isEmpty()) {
      throw PictureTokens.blind(tokenizer.folder());
    }
    return messages;
  }

  /** Returns the text in place of a picture; empty if the model has no vision. */
  String imagePlaceholder() {
    return tokens == null ? "" : tokens.place();
  }

  /**
   * Returns the tokens of a rendered text with placeholders of {@code pictures}.
   *
   * @param start tokenizes the beginning of the text
   */
  int[] encode(String text, List<Picture> pictures, Function<String, int[]> start) {
    PictureTokens seen = tokens;
    if (seen == null) {
      return start.apply(text);
    }
    List<String> pieces = seen.pieces(text);
    List<int[]> parts = new ArrayList<>(List.of(start.apply(pieces.getFirst())));
    pieces.stream().skip(1).map(tokenizer::encode).forEach(parts::add);
    int[] whole = new int[parts.stream().mapToInt(part -> part.length).sum()];
    int at = 0;
    for (int[] part : parts) {
      System.arraycopy(part, 0, whole, at, part.length);
      at += part.length;
    }
    return seen.expand(whole, pictures);
  }
}
