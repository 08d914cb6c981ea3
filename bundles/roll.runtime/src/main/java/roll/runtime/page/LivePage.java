package roll.runtime.page;

import org.osgi.annotation.versioning.ProviderType;

/** Shows runs, their figures, episodes and services in a browser. */
@ProviderType
public interface LivePage {
  /**
   * Serves the page until the result is closed.
   *
   * @throws roll.api.option.UserException if the place cannot be listened at, or if it would be
   *     open to other machines without a certificate and a token
   */
  PageEndpoint start(PageSettings order);
}
