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

/** The chat formats of {@code data_args.template}: the model folder's chat template and ChatML. */
@Component(name = "roll.rollout.chat")
public final class NamedChatFormats implements ChatFormats {
  private static final List<String> NAMES = List.of("native", "qwen2_5", "chatml");

  /**
   * The date for templates that print it, fixed so that runs do not depend on the day; it is the
   * default of Llama 3's template.
   */
  private static final Clock DAY =
      Clock.fixed(Instant.parse("2024-07-26T12:00:00Z"), ZoneOffset.UTC);

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile @Nullable ChatTemplates templates;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile @Nullable ImageProcessorLoader processors;

  /** Creates formats without the template of model folders until the reference is set. */
  @Activate
  public NamedChatFormats() {}

  /** Creates formats that load the model folder's template by {@code templates}. */
  public NamedChatFormats(ChatTemplates templates) {
    this.templates = templates;
  }

  /** Creates formats that also support pictures, by {@code processors}. */
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
              + "' is not a chat format (allowed: "
              + String.join(", ", NAMES)
              + ")"
              + Suggestion.near(name, NAMES));
    }
    return name.equals("native") ? own(tokenizer, variables) : chatMl(name, tokenizer);
  }

  private PromptEncoder encoder(Tokenizer tokenizer) {
    ImageProcessorLoader known = processors;
    VisionTokens vision = known == null ? null : known.vision(tokenizer.folder()).orElse(null);
    return new PromptEncoder(
        vision == null ? null : new PictureTokens(vision, tokenizer), tokenizer);
  }

  /** Loads the template and renders it once, so that one that fails is refused here. */
  private ChatFormat own(Tokenizer tokenizer, Map<String, ?> variables) {
    ChatTemplates known = templates;
    if (known == null) {
      throw new UserException("'native' needs the bundle roll.template, which is not active");
    }
    try {
      ChatRenderer renderer = new TemplateRenderer(known.load(tokenizer.folder(), DAY), variables);
      ChatFormat format = RenderedChatFormat.template(renderer, encoder(tokenizer));
      var unused = format.opening(List.of(new Message("user", "?")));
      return format;
    } catch (UserException e) {
      throw new UserException("'native': " + e.getMessage(), e);
    }
  }

  private ChatFormat chatMl(String name, Tokenizer tokenizer) {
    List<String> missing =
        Stream.of(ChatMlRenderer.START, ChatMlRenderer.END)
            .filter(token -> tokenizer.id(token) < 0)
            .toList();
    if (!missing.isEmpty()) {
      throw new UserException(
          "'"
              + name
              + "' needs the tokens "
              + String.join(" and ", missing)
              + ", which the model's tokenizer does not have");
    }
    return RenderedChatFormat.chatMl(encoder(tokenizer));
  }
}
