package roll.runtime.page;

import java.net.URI;
import org.osgi.annotation.versioning.ProviderType;

/** A page that is being served. */
@ProviderType
public interface ServedPage extends AutoCloseable {
  /** What to type into a browser; with the token, where one is needed. */
  URI address();

  /** Ends every answer and returns when nothing is served any more. */
  @Override
  void close();
}
