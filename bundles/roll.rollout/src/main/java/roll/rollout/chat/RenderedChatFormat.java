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

/** A chat format that tokenizes the text of a {@link ChatRenderer}. */
public final class RenderedChatFormat implements ChatFormat {
  private final ChatRenderer renderer;
  private final PromptEncoder encoder;
  private final Tokenizer tokenizer;
  private final boolean complete;
  private final int end;

  private RenderedChatFormat(
      ChatRenderer renderer, PromptEncoder encoder, boolean complete, int end) {
    this.renderer = renderer;
    this.encoder = encoder;
    this.tokenizer = encoder.tokenizer();
    this.complete = complete;
    this.end = end;
  }

  /** Returns ChatML for a text model; the tokenizer adds the special tokens at the beginning. */
  public static RenderedChatFormat chatMl(Tokenizer tokenizer) {
    return chatMl(new PromptEncoder(null, tokenizer));
  }

  /** Returns ChatML for a model that may have vision. */
  static RenderedChatFormat chatMl(PromptEncoder encoder) {
    ChatMlRenderer text = new ChatMlRenderer(encoder.imagePlaceholder());
    return new RenderedChatFormat(text, encoder, false, encoder.tokenizer().id(ChatMlRenderer.END));
  }

  /** Returns the format of a chat template, whose text already has all special tokens. */
  static RenderedChatFormat template(ChatRenderer renderer, PromptEncoder encoder) {
    String following = renderer.following(List.of(new Message("user", "?")));
    int end = end(following.stripLeading(), encoder.tokenizer());
    return new RenderedChatFormat(renderer, encoder, true, end);
  }

  /**
   * Returns the end-of-turn token: the stop token of the model, otherwise the special token, with
   * which {@code following} begins; −1 without either.
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
    List<Message> said = encoder.messages(messages);
    String text = tools.isEmpty() ? renderer.opening(said) : renderer.opening(said, tools);
    return beginning(text, messages);
  }

  @Override
  public int[] whole(List<Message> messages) {
    return beginning(renderer.whole(encoder.messages(messages)), messages);
  }

  private int[] beginning(String text, List<Message> messages) {
    return encoder.encode(
        text, Message.pictures(messages), complete ? tokenizer::encode : tokenizer::encodePrompt);
  }

  @Override
  public int[] between(int[] response, List<Message> messages) {
    String text = renderer.following(encoder.messages(messages));
    List<Picture> pictures = Message.pictures(messages);
    boolean ended = end >= 0 && response.length > 0 && response[response.length - 1] == end;
    return ended ? afterEnd(text, pictures) : encode(text, pictures);
  }

  private int[] encode(String text, List<Picture> pictures) {
    return encoder.encode(text, pictures, tokenizer::encode);
  }

  /** Returns the tokens of {@code text} after its leading end-of-turn token. */
  private int[] afterEnd(String text, List<Picture> pictures) {
    int[] tokens = encode(text, pictures);
    for (int i = 0; i < tokens.length; i++) {
      if (tokens[i] == end) {
        return Arrays.copyOfRange(tokens, i + 1, tokens.length);
      }
      if (!tokenizer.decode(new int[] {tokens[i]}, true).isBlank()) {
        break; // the end of the turn is part of a longer token
      }
    }
    String shown = tokenizer.decode(new int[] {end}, true);
    return encode(text.substring(text.indexOf(shown) + shown.length()), pictures);
  }

  @Override
  public ChatFormat with(Map<String, ?> variables) {
    return variables.isEmpty() || !(renderer instanceof TemplateRenderer template)
        ? ChatFormat.super.with(variables)
        : new RenderedChatFormat(template.with(variables), encoder, complete, end);
  }

  @Override
  public int imageToken() {
    PictureTokens seen = encoder.tokens();
    return seen == null ? -1 : seen.imageToken();
  }

  @Override
  public ImageSize seen(ImageSize picture) {
    PictureTokens seen = encoder.tokens();
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
