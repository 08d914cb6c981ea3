package roll.openai.dialect;

import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.model.Tokenizer;
import roll.openai.request.ApiException;
import roll.openai.request.ChatCall;
import roll.runtime.serving.PictureSettings;

/** A model that dialects ask: a served one, or the policy of an episode. */
@ProviderType
public interface ChatModel {
  /** Returns its name in answers. */
  String name();

  /**
   * Checks the model that a request names.
   *
   * @param name the parameter {@code model}, or null if it is missing
   * @throws ApiException if there is no such model
   */
  void check(@Nullable String name);

  /** Returns its tokenizer. */
  Tokenizer tokenizer();

  /** Returns the maximum number of tokens of prompt and response. */
  int longest();

  /** Returns the pictures that it accepts. */
  PictureSettings pictures();

  /**
   * Returns the number of tokens of the prompt of {@code call}, which is not answered.
   *
   * @throws ApiException if the chat template refuses it
   */
  int count(ChatCall call) throws InterruptedException;

  /**
   * Begins to answer {@code call}.
   *
   * @throws ApiException if there is no room for a response, or the model does not support a
   *     parameter
   */
  ChatJob begin(ChatCall call) throws InterruptedException;

  /** Returns the conversations that later requests of the same client may continue by an id. */
  StoredConversations conversations();
}
