package roll.runtime.page;

import java.net.URI;
import org.osgi.annotation.versioning.ProviderType;

/** A page that is being served. */
@ProviderType
public interface PageEndpoint extends AutoCloseable {
  /** Returns the address to open in a browser, including the token if one is needed. */
  URI address();

  /** Ends every answer and returns when nothing is served any more. */
  @Override
  void close();
}
