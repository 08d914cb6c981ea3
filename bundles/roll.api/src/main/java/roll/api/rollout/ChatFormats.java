package roll.api.rollout;

import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.model.Tokenizer;

/** Finds chat formats by name. */
@ProviderType
public interface ChatFormats {
  /**
   * Returns the format {@code name}, a value of {@code data_args.template}.
   *
   * @param tokenizer tokenizer of the model; must contain the format's special tokens
   * @param variables for a chat template, such as {@code enable_thinking}; other formats have none
   * @throws roll.api.option.UserException if there is no such format, or it does not fit the model;
   *     the message begins with the name
   */
  ChatFormat find(String name, Tokenizer tokenizer, Map<String, ?> variables);
}
