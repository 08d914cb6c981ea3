package roll.openai.dialect;

import org.jspecify.annotations.Nullable;
import roll.api.model.Tokenizer;
import roll.openai.request.ApiException;
import roll.openai.request.ChatCall;
import roll.openai.request.ChatPrompts;
import roll.openai.request.PromptEncoder;
import roll.runtime.serving.PictureSettings;
import roll.runtime.serving.ServedModel;

/** A served model for dialects. */
public final class ServedChatModel implements ChatModel {
  private final ServedModel model;
  private final ChatPrompts prompts;
  private final StoredConversations conversations = new StoredConversations();

  /** Creates the model that dialects ask for {@code model}. */
  public ServedChatModel(ServedModel model, PromptEncoder encoder) {
    this.model = model;
    this.prompts = new ChatPrompts(model, encoder);
  }

  @Override
  public String name() {
    return model.name();
  }

  @Override
  public void check(@Nullable String name) {
    if (name == null) {
      throw ApiException.wrong("model", "You must provide a model parameter.");
    }
    if (!name.equals(model.name())) {
      throw new ApiException(
          404,
          "invalid_request_error",
          "The model '%s' does not exist; this server has '%s'.".formatted(name, model.name()),
          "model",
          "model_not_found");
    }
  }

  @Override
  public Tokenizer tokenizer() {
    return model.tokenizer();
  }

  @Override
  public int longest() {
    return model.longest();
  }

  @Override
  public PictureSettings pictures() {
    return model.pictures();
  }

  @Override
  public int count(ChatCall call) throws InterruptedException {
    return prompts.encode(call).length;
  }

  @Override
  public ChatJob begin(ChatCall call) throws InterruptedException {
    int[] prompt = prompts.encode(call);
    return new ChatJob(
        call.spec(prompt, model.stops(), model.longest(), model.toolCalls()), model.generator());
  }

  @Override
  public StoredConversations conversations() {
    return conversations;
  }
}
