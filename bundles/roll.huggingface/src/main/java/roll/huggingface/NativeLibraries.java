package roll.huggingface;

import org.osgi.annotation.versioning.ProviderType;

/**
 * The service that loads DJL's native libraries, provided by the compute layer: the tokenizers
 * library depends on libtorch, which must be prepared first.
 */
@ProviderType
@FunctionalInterface
public interface NativeLibraries {
  /**
   * Loads the libraries; returns when they are loaded. For use from any thread.
   *
   * @throws roll.api.option.UserException if this machine has none
   */
  void load();
}
