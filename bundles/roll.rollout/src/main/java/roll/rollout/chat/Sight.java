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
 * What a model sees of messages.
 *
 * @param tokens of pictures; null where it sees none
 * @param tokenizer of the model
 */
record Sight(@Nullable PictureTokens tokens, Tokenizer tokenizer) {
  /**
   * The messages as a template takes them.
   *
   * @throws UserException if one has a picture and the model does not see
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

  /** What stands for a picture in a text; empty where none is seen. */
  String place() {
    return tokens == null ? "" : tokens.place();
  }

  /**
   * The tokens of a rendered text in which {@code pictures} have their places.
   *
   * @param start makes tokens of its beginning
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
