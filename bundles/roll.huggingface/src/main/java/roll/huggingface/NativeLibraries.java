package roll.huggingface;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Loads DJL's native libraries. It is a service of whoever computes with them: the library of
 * tokenizers comes with libtorch, which has to be prepared before.
 */
@ProviderType
@FunctionalInterface
public interface NativeLibraries {
  /**
   * Returns when they are loaded. On any thread.
   *
   * @throws roll.api.option.UserException if this machine has none
   */
  void load();
}
