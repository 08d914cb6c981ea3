package roll.runtime.serving;

import org.osgi.annotation.versioning.ProviderType;

/** Serves models over HTTP with the APIs of OpenAI and Anthropic. */
@ProviderType
public interface ModelServer {
  /**
   * Serves {@code model} until the result is closed. The caller remains responsible for closing the
   * model afterwards.
   *
   * @throws roll.api.option.UserException if the server cannot listen at {@code place}, or if it
   *     would be open to other machines without a key
   */
  Serving start(ServedModel model, ListenSettings place);
}
