package roll.rollout.chat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import roll.api.data.Message;
import roll.api.image.ImageProcessorLoader;
import roll.api.image.VisionTokens;
import roll.api.model.ChatTemplates;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.ChatFormats;
import roll.runtime.vision.PictureTokens;
import roll.text.Suggestion;

/** The formats that {@code data_args.template} may name: the model folder's own, and ChatML. */
@Component(name = "roll.rollout.chat")
public final class NamedChatFormats implements ChatFormats {
  private static final List<String> NAMES = List.of("native", "qwen2_5", "chatml");

  /**
   * The day for templates that ask for it. A run has to be the same on every day; this is the one
   * that Llama 3's template takes where it is told none.
   */
  private static final Clock DAY =
      Clock.fixed(Instant.parse("2024-07-26T12:00:00Z"), ZoneOffset.UTC);

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile @Nullable ChatTemplates templates;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile @Nullable ImageProcessorLoader processors;

  /** Formats that know no templates until the reference is set. */
  @Activate
  public NamedChatFormats() {}

  /** Formats, of which the model folder's own comes from {@code templates}. */
  public NamedChatFormats(ChatTemplates templates) {
    this.templates = templates;
  }

  /** The same for models that see by {@code processors}. */
  public NamedChatFormats(ChatTemplates templates, ImageProcessorLoader processors) {
    this.templates = templates;
    this.processors = processors;
  }

  @Override
  public ChatFormat find(String name, Tokenizer tokenizer, Map<String, ?> variables) {
    if (!NAMES.contains(name)) {
      throw new UserException(
          "'"
              + name
              + "' is no chat format (allowed: "
              + String.join(", ", NAMES)
              + ")"
              + Suggestion.near(name, NAMES));
    }
    return name.equals("native") ? own(tokenizer, variables) : chatMl(name, tokenizer);
  }

  private Sight sight(Tokenizer tokenizer) {
    ImageProcessorLoader known = processors;
    VisionTokens vision = known == null ? null : known.vision(tokenizer.folder()).orElse(null);
    return new Sight(vision == null ? null : new PictureTokens(vision, tokenizer), tokenizer);
  }

  /** Tried once, so that a template which fails does so here. */
  private ChatFormat own(Tokenizer tokenizer, Map<String, ?> variables) {
    ChatTemplates known = templates;
    if (known == null) {
      throw new UserException("'native' needs the bundle roll.template, which is not active");
    }
    try {
      ChatText chatText = new TemplateChatText(known.load(tokenizer.folder(), DAY), variables);
      ChatFormat format = TokenChatFormat.template(chatText, sight(tokenizer));
      var unused = format.opening(List.of(new Message("user", "?")));
      return format;
    } catch (UserException e) {
      throw new UserException("'native': " + e.getMessage(), e);
    }
  }

  private ChatFormat chatMl(String name, Tokenizer tokenizer) {
    List<String> missing =
        Stream.of(ChatMl.START, ChatMl.END).filter(token -> tokenizer.id(token) < 0).toList();
    if (!missing.isEmpty()) {
      throw new UserException(
          "'"
              + name
              + "' needs the tokens "
              + String.join(" and ", missing)
              + ", which the model's tokenizer does not have");
    }
    return TokenChatFormat.chatMl(sight(tokenizer));
  }
}
