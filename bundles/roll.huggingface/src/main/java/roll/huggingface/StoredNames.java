package roll.huggingface;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import roll.api.model.DecoderSpec;
import roll.api.model.VisionSpec;

/**
 * The names of parameters in files. Models with vision have two conventions: {@code visual} and
 * {@code model} in published files of Qwen2.5-VL, {@code model.visual} and {@code
 * model.language_model} in those of Qwen3-VL and newer transformers.
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

  /** Returns the name of {@code parameter} in published files of {@code spec}. */
  public static String published(DecoderSpec spec, String parameter) {
    VisionSpec vision = spec.vision();
    if (vision != null && vision.deepStack() != null) {
      for (Map.Entry<String, String> moved : MOVED.entrySet()) {
        if (parameter.startsWith(moved.getValue())) {
          return moved.getKey() + parameter.substring(moved.getValue().length());
        }
      }
    }
    return parameter;
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
