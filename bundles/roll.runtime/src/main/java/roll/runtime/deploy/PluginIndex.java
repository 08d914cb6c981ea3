package roll.runtime.deploy;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;

/** The index of a repository, compared with this system. */
@ProviderType
public interface PluginIndex {
  /** Returns the signer of the index, or why none is known, as one phrase. */
  String signature();

  /** Returns the newest version of every bundle, by name. */
  List<PluginOffer> newest();

  /** Returns the bundle whose jar is at {@code address}, or null if there is none. */
  @Nullable PluginOffer at(URI address);

  /**
   * Returns the bundles to deploy for {@code wanted}: the newest version that resolves here, after
   * the bundles that it needs and this system lacks, each after those that it needs.
   *
   * @param wanted symbolic name of a bundle, or a plugin that it provides, such as {@code env=maze}
   * @throws roll.api.option.UserException if no bundle is so called, or none resolves
   */
  List<PluginOffer> resolve(String wanted);

  /**
   * Returns what {@link #resolve(String)} does for this version.
   *
   * @throws roll.api.option.UserException if it does not resolve
   */
  List<PluginOffer> resolve(PluginOffer wanted);

  /**
   * Copies a jar into {@code folder}, and checks its size and SHA-256.
   *
   * @throws roll.api.option.UserException if it cannot be read, or is not as the index says
   */
  Path fetch(PluginOffer offer, Path folder) throws InterruptedException;
}
