package roll.rollout.chat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import roll.api.data.Message;
import roll.api.image.ImageSize;
import roll.api.image.Picture;
import roll.api.model.Tokenizer;
import roll.api.rollout.ChatFormat;
import roll.api.tool.ToolSchema;
import roll.runtime.vision.PictureTokens;

/** A chat format on the tokenizer of a model. */
public final class TokenChatFormat implements ChatFormat {
  private final ChatText chatText;
  private final Sight sight;
  private final Tokenizer tokenizer;
  private final boolean complete;
  private final int end;

  private TokenChatFormat(ChatText chatText, Sight sight, boolean complete, int end) {
    this.chatText = chatText;
    this.sight = sight;
    this.tokenizer = sight.tokenizer();
    this.complete = complete;
    this.end = end;
  }

  /** ChatML; the tokenizer adds the special tokens that an input begins with. */
  public static TokenChatFormat chatMl(Tokenizer tokenizer) {
    return chatMl(new Sight(null, tokenizer));
  }

  /** The same for a model that may see. */
  static TokenChatFormat chatMl(Sight sight) {
    ChatMl text = new ChatMl(sight.place());
    return new TokenChatFormat(text, sight, false, sight.tokenizer().id(ChatMl.END));
  }

  /** A chat template, whose texts have every special token already. */
  static TokenChatFormat template(ChatText chatText, Sight sight) {
    String following = chatText.following(List.of(new Message("user", "?")));
    int end = end(following.stripLeading(), sight.tokenizer());
    return new TokenChatFormat(chatText, sight, true, end);
  }

  /**
   * The token that a turn ends with: a stop token of the model, otherwise the special token that
   * {@code following} begins with, −1 if there is none.
   */
  private static int end(String following, Tokenizer tokenizer) {
    for (int stop : tokenizer.stopTokens()) {
      if (begins(following, stop, tokenizer)) {
        return stop;
      }
    }
    int[] tokens = tokenizer.encode(following);
    boolean special = tokens.length > 0 && tokenizer.decode(new int[] {tokens[0]}, false).isEmpty();
    return special && begins(following, tokens[0], tokenizer) ? tokens[0] : -1;
  }

  private static boolean begins(String text, int token, Tokenizer tokenizer) {
    String shown = tokenizer.decode(new int[] {token}, true);
    return !shown.isEmpty() && text.startsWith(shown);
  }

  @Override
  public int[] opening(List<Message> messages) {
    return opening(messages, List.of());
  }

  @Override
  public int[] opening(List<Message> messages, List<ToolSchema> tools) {
    return openingAsSent(messages, tools.stream().map(ToolSchema::listed).toList());
  }

  @Override
  public int[] openingAsSent(List<Message> messages, List<?> tools) {
    List<Message> said = sight.messages(messages);
    String text = tools.isEmpty() ? chatText.opening(said) : chatText.opening(said, tools);
    return beginning(text, messages);
  }

  @Override
  public int[] whole(List<Message> messages) {
    return beginning(chatText.whole(sight.messages(messages)), messages);
  }

  private int[] beginning(String text, List<Message> messages) {
    return sight.encode(
        text, Message.pictures(messages), complete ? tokenizer::encode : tokenizer::encodePrompt);
  }

  @Override
  public int[] between(int[] response, List<Message> messages) {
    String text = chatText.following(sight.messages(messages));
    List<Picture> pictures = Message.pictures(messages);
    boolean ended = end >= 0 && response.length > 0 && response[response.length - 1] == end;
    return ended ? afterEnd(text, pictures) : encode(text, pictures);
  }

  private int[] encode(String text, List<Picture> pictures) {
    return sight.encode(text, pictures, tokenizer::encode);
  }

  /** The tokens of {@code text} except for the end it begins with. */
  private int[] afterEnd(String text, List<Picture> pictures) {
    int[] tokens = encode(text, pictures);
    for (int i = 0; i < tokens.length; i++) {
      if (tokens[i] == end) {
        return Arrays.copyOfRange(tokens, i + 1, tokens.length);
      }
      if (!tokenizer.decode(new int[] {tokens[i]}, true).isBlank()) {
        break; // the end is a part of a longer token
      }
    }
    String shown = tokenizer.decode(new int[] {end}, true);
    return encode(text.substring(text.indexOf(shown) + shown.length()), pictures);
  }

  @Override
  public ChatFormat with(Map<String, ?> variables) {
    return variables.isEmpty() || !(chatText instanceof TemplateChatText template)
        ? ChatFormat.super.with(variables)
        : new TokenChatFormat(template.with(variables), sight, complete, end);
  }

  @Override
  public int imageToken() {
    PictureTokens seen = sight.tokens();
    return seen == null ? -1 : seen.imageToken();
  }

  @Override
  public ImageSize seen(ImageSize picture) {
    PictureTokens seen = sight.tokens();
    return seen == null ? picture : seen.seen(picture);
  }

  @Override
  public List<Integer> stops() {
    List<Integer> stops = new ArrayList<>();
    if (end >= 0) {
      stops.add(end);
    }
    tokenizer.stopTokens().stream().filter(stop -> stop != end).forEach(stops::add);
    return List.copyOf(stops);
  }
}
