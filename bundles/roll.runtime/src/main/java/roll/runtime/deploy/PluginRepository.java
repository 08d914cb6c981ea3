package roll.runtime.deploy;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;

/** Reads indexes of OSGi repositories (OSGi Compendium 8, section 132.5). */
@ProviderType
public interface PluginRepository {
  /**
   * Reads the index of a repository and verifies its signature.
   *
   * @param place URI of a folder, or HTTP(S) address, of {@code index.xml} or the folder it is in
   * @param key file with the public key that must have signed the index, or null
   * @throws roll.api.option.UserException if it cannot be read or is no index, or if its signature
   *     is bad, or, with a key, missing
   */
  PluginIndex read(URI place, @Nullable Path key) throws InterruptedException;
}
