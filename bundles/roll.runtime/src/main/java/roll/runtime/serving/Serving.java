package roll.runtime.serving;

import java.net.InetSocketAddress;
import org.osgi.annotation.versioning.ProviderType;

/** A model that is being served. */
@ProviderType
public interface Serving extends AutoCloseable {
  /** Where it listens. */
  InetSocketAddress address();

  /** Gives up what is being answered and returns when nothing uses the model any more. */
  @Override
  void close();
}
