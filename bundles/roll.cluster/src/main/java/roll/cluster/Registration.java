package roll.cluster;

import org.osgi.annotation.versioning.ProviderType;

/** A registration that lasts until it is closed; closing it again has no effect. */
@ProviderType
public interface Registration extends AutoCloseable {
  @Override
  void close();
}
