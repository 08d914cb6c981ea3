package roll.openai.request;

import java.io.File;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.model.ChatTemplate;
import roll.api.option.UserException;
import roll.runtime.serving.ServedModel;
import roll.text.call.ThinkTags;

/** Renders and encodes the prompts of conversations with a served model. */
public final class ChatPrompts {
  private final ServedModel model;
  private final PromptEncoder encoder;
  private final ToolCallRenderer renderer = new ToolCallRenderer();

  /** Creates the prompts of {@code model}. */
  public ChatPrompts(ServedModel model, PromptEncoder encoder) {
    this.model = model;
    this.encoder = encoder;
  }

  /**
   * Returns the tokens of the conversation of {@code call} up to what is sampled.
   *
   * @throws ApiException if the model has no template, or it refuses the conversation
   */
  public int[] encode(ChatCall call) throws InterruptedException {
    ChatTemplate template = model.template();
    if (template == null) {
      throw ApiException.status(
          400, "This model has no chat template; /v1/completions continues texts.", null);
    }
    ChatMessages said = call.said();
    Map<String, @Nullable Object> context = new HashMap<>();
    context.put("documents", null);
    context.put("add_generation_prompt", true);
    context.putAll(model.chatTemplateKwargs());
    context.putAll(call.variables());
    context.put("tools", said.tools().isEmpty() ? null : said.tools());
    String text = text(template, call.parameter(), said.messages(), context);
    boolean thinks = text.stripTrailing().endsWith(ThinkTags.OPEN);
    if (thinks && call.sampling().structuredOutput() != null) {
      throw ApiException.wrong(
          call.parameter(),
          "The prompt begins a thought, so the format of the response cannot be forced; turn"
              + " thinking off.");
    }
    if (thinks && !call.prefix().isEmpty()) {
      throw ToolChoice.inThought();
    }
    return encoder.encode(call.parameter(), text + call.prefix(), said.pictures());
  }

  /** Renders the chat template; an error message hides the folder of the model. */
  private String text(
      ChatTemplate template,
      String parameter,
      List<Map<String, Object>> messages,
      Map<String, @Nullable Object> context) {
    try {
      return renderer.render(template, messages, context);
    } catch (UserException e) {
      String folder = model.tokenizer().folder() + File.separator;
      throw ApiException.wrong(parameter, e.getMessage().replace(folder, ""));
    }
  }
}
