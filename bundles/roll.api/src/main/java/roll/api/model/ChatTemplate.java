package roll.api.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A chat template that renders a conversation as the model's prompt, like {@code
 * apply_chat_template} of transformers. Immutable and thread-safe.
 */
@ProviderType
public interface ChatTemplate {
  /**
   * Renders {@code context}, which has the arguments of {@code apply_chat_template}: {@code
   * messages}, {@code tools}, {@code documents}, {@code add_generation_prompt}, {@code
   * continue_final_message}, {@code chat_template} (the name of one of several) and any further
   * variable of the template; with JSON values including null. A missing variable is undefined in
   * the template. The model folder's special tokens, such as {@code bos_token}, are variables too
   * unless {@code context} overrides them.
   *
   * @param where names the context in messages, for example its file
   * @throws roll.api.option.UserException if there are no messages, or the template fails or
   *     refuses them
   */
  String render(String where, Map<String, ? extends @Nullable Object> context);
}
