package roll.shell.serve;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.image.ImageProcessorLoader;
import roll.api.model.ChatTemplate;
import roll.api.model.ChatTemplates;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.api.plugin.Plugins;
import roll.api.rollout.ChatFormats;
import roll.decoder.ModelInspector;
import roll.runtime.serving.ModelServer;
import roll.runtime.vision.PictureTokens;
import roll.shell.syntax.RequiredService;

/** The services that {@code serve} uses, as far as the distribution has them. */
@Component(name = "roll.shell.serving", service = ServingServices.class)
public final class ServingServices {
  /** The date that templates see, as in every rollout. */
  private static final Clock DAY =
      Clock.fixed(Instant.parse("2024-07-26T12:00:00Z"), ZoneOffset.UTC);

  private final @Nullable ModelServer server;
  private final @Nullable TokenizerLoader tokenizers;
  private final @Nullable ModelInspector models;
  private final @Nullable ChatTemplates templates;
  private final @Nullable ImageProcessorLoader processors;
  private final ChatFormats formats;
  private final Plugins plugins;

  /** Holds these services; null for those that the distribution lacks. */
  @Activate
  public ServingServices(
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable ModelServer server,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY)
          @Nullable TokenizerLoader tokenizers,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable ModelInspector models,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable ChatTemplates templates,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY)
          @Nullable ImageProcessorLoader processors,
      @Reference ChatFormats formats,
      @Reference Plugins plugins) {
    this.server = server;
    this.tokenizers = tokenizers;
    this.models = models;
    this.templates = templates;
    this.processors = processors;
    this.formats = formats;
    this.plugins = plugins;
  }

  ModelServer server() {
    return RequiredService.of(server, "serve", "roll.serve");
  }

  TokenizerLoader tokenizers() {
    return RequiredService.of(tokenizers, "serve", "roll.torch");
  }

  ModelInspector models() {
    return RequiredService.of(models, "serve", "roll.torch");
  }

  /**
   * Returns the picture tokens of the model of {@code tokenizer}; null if it has no vision encoder
   * or the distribution has no image processors.
   */
  @Nullable PictureTokens pictures(Tokenizer tokenizer) {
    ImageProcessorLoader known = processors;
    return known == null
        ? null
        : known
            .vision(tokenizer.folder())
            .<@Nullable PictureTokens>map(vision -> new PictureTokens(vision, tokenizer))
            .orElse(null);
  }

  Plugins plugins() {
    return plugins;
  }

  /**
   * The chat format of a served model.
   *
   * @param template renders prompts; null for text completion only
   * @param stops tokens that end a response
   */
  record Chat(@Nullable ChatTemplate template, List<Integer> stops) {}

  /**
   * Returns the template of {@code --template}: {@code native}, {@code none} or a file.
   *
   * @throws UserException if there is no such template, or it is invalid
   */
  Chat chat(String name, Path file, Tokenizer tokenizer) {
    if (name.equals("none")) {
      return new Chat(null, tokenizer.stopTokens());
    }
    ChatTemplates known = RequiredService.of(templates, "serve", "roll.template");
    if (!name.equals("native")) {
      if (!Files.isRegularFile(file)) {
        throw new UserException(
            "serve: --template: expected native, none or a Jinja file, found '" + name + "'");
      }
      return new Chat(known.load(file, DAY), tokenizer.stopTokens());
    }
    try {
      return new Chat(
          known.load(tokenizer.folder(), DAY), formats.find(name, tokenizer, Map.of()).stops());
    } catch (UserException e) {
      throw new UserException(
          "serve: --template: " + e.getMessage() + " (--template none serves text completion only)",
          e);
    }
  }
}
