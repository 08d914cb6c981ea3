package roll.api.rollout;

import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.model.Tokenizer;

/** The chat formats there are. */
@ProviderType
public interface ChatFormats {
  /**
   * The format called {@code name}, as {@code data_args.template} names it.
   *
   * @param tokenizer of the model; must know the format's special tokens
   * @param variables for a chat template, such as {@code enable_thinking}; other formats have none
   * @throws roll.api.option.UserException if there is no such format, or it does not fit; the
   *     message begins with the name
   */
  ChatFormat find(String name, Tokenizer tokenizer, Map<String, ?> variables);
}
