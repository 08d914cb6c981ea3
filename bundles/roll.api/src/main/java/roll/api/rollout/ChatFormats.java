package roll.api.rollout;

import org.osgi.annotation.versioning.ProviderType;
import roll.api.model.Tokenizer;

/** The chat formats there are. */
@ProviderType
public interface ChatFormats {
  /**
   * The format called {@code name}, as {@code data_args.template} names it.
   *
   * @param tokenizer of the model; must know the format's special tokens
   * @throws roll.api.config.UserException if there is no such format, or it does not fit
   */
  ChatFormat find(String name, Tokenizer tokenizer);
}
