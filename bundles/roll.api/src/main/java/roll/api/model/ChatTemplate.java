package roll.api.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A chat template: a conversation becomes the text that a model reads, as transformers' {@code
 * apply_chat_template} renders it. Immutable; any thread may render.
 */
@ProviderType
public interface ChatTemplate {
  /**
   * The text of {@code context}, which holds what {@code apply_chat_template} takes: {@code
   * messages}, {@code tools}, {@code documents}, {@code add_generation_prompt}, {@code
   * continue_final_message}, {@code chat_template} (the name of one of several) and any further
   * variable of the template; values as JSON has them, null included. A variable that is left out
   * is undefined in the template. The model folder's special tokens, such as {@code bos_token}, are
   * variables too unless {@code context} gives others.
   *
   * @param where names the context in messages, for example its file
   * @throws roll.api.option.UserException if there are no messages, or the template fails or
   *     refuses them
   */
  String render(String where, Map<String, ? extends @Nullable Object> context);
}
