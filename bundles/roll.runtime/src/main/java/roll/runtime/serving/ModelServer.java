package roll.runtime.serving;

import org.osgi.annotation.versioning.ProviderType;

/** Offers models to other programs over HTTP, as OpenAI's interface has it. */
@ProviderType
public interface ModelServer {
  /**
   * Answers requests to {@code model} from now until the result is closed; the model is still the
   * caller's to close, after that.
   *
   * @throws roll.api.option.UserException if the place cannot be listened at, or is open to other
   *     machines without a key
   */
  Serving start(ServedModel model, ServedPlace place);
}
