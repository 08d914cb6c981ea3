package roll.huggingface;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import roll.api.model.DecoderSpec;

/**
 * The names of parameters in files. Models with vision have two conventions: published files use
 * {@code visual} and {@code model}, newer transformers {@code model.visual} and {@code
 * model.language_model}.
 */
public final class StoredNames {
  private static final Map<String, String> MOVED =
      Map.of("model.visual.", "visual.", "model.language_model.", "model.");

  private final Map<String, String> stored = new HashMap<>();

  /** Maps the names {@code tensors} in a file of the model {@code spec}. */
  public StoredNames(DecoderSpec spec, Collection<String> tensors) {
    tensors.forEach(tensor -> stored.put(known(spec, tensor), tensor));
  }

  /** Returns the parameter name of {@code tensor} in a file of {@code spec}. */
  static String known(DecoderSpec spec, String tensor) {
    if (spec.vision() != null) {
      for (Map.Entry<String, String> moved : MOVED.entrySet()) {
        if (tensor.startsWith(moved.getKey())) {
          return moved.getValue() + tensor.substring(moved.getKey().length());
        }
      }
    }
    return tensor;
  }

  /** Returns the file's names by parameter name. */
  public Map<String, String> all() {
    return Map.copyOf(stored);
  }

  /** Returns the file's name of {@code parameter}; the same if it is missing. */
  public String of(String parameter) {
    return stored.getOrDefault(parameter, parameter);
  }
}
