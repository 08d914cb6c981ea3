package roll.huggingface;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import roll.api.model.DecoderSpec;

/**
 * What files call the parameters of a model. Those of a model that sees have two names: the
 * published files say {@code visual} and {@code model}, newer transformers {@code model.visual} and
 * {@code model.language_model}.
 */
public final class StoredNames {
  private static final Map<String, String> MOVED =
      Map.of("model.visual.", "visual.", "model.language_model.", "model.");

  private final Map<String, String> stored = new HashMap<>();

  /** The names of {@code tensors}, which a file of the model {@code spec} holds. */
  public StoredNames(DecoderSpec spec, Collection<String> tensors) {
    tensors.forEach(tensor -> stored.put(known(spec, tensor), tensor));
  }

  /** The name of the parameter that a file of {@code spec} calls {@code tensor}. */
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

  /** Parameters by the names of the specification, with those of the file. */
  public Map<String, String> all() {
    return Map.copyOf(stored);
  }

  /** What the file calls {@code parameter}; the same where it has none. */
  public String of(String parameter) {
    return stored.getOrDefault(parameter, parameter);
  }
}
