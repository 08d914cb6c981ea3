package roll.cluster;

import org.osgi.annotation.versioning.ProviderType;

/** Something that lasts until it is closed; closing it twice does nothing. */
@ProviderType
public interface Registration extends AutoCloseable {
  @Override
  void close();
}
