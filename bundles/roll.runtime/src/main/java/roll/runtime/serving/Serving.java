package roll.runtime.serving;

import java.net.InetSocketAddress;
import org.osgi.annotation.versioning.ProviderType;

/** A model that is being served. */
@ProviderType
public interface Serving extends AutoCloseable {
  /** Returns the address of the server. */
  InetSocketAddress address();

  /** Aborts the current requests and returns when the model is no longer used. */
  @Override
  void close();
}
