package roll.huggingface;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.Locale;

/** The config.json of value models, transformers' {@code …ForTokenClassification}. */
public final class ValueConfig {
  private static final String CLASS = "ForTokenClassification";

  private ValueConfig() {}

  /**
   * Changes {@code config} to that of a value model: one label, in place of any others, and no
   * dropout before the head unless the file asks for some (transformers' default is 0.1).
   *
   * @param modelType names the class if {@code architectures} does not
   */
  public static void describe(JsonObject config, String modelType) {
    JsonArray architectures = new JsonArray();
    architectures.add(family(config, modelType) + CLASS);
    config.add("architectures", architectures);
    JsonObject labels = new JsonObject();
    labels.addProperty("0", "LABEL_0");
    config.add("id2label", labels);
    JsonObject ids = new JsonObject();
    ids.addProperty("LABEL_0", 0);
    config.add("label2id", ids);
    if (config.has("num_labels")) {
      config.addProperty("num_labels", 1);
    }
    if (!config.has("classifier_dropout")) {
      config.addProperty("classifier_dropout", 0.0);
    }
  }

  /** Returns "Qwen2" for "Qwen2ForCausalLM", or for the model type "qwen2". */
  private static String family(JsonObject config, String modelType) {
    if (config.get("architectures") instanceof JsonArray names
        && !names.isEmpty()
        && names.get(0).isJsonPrimitive()) {
      return names.get(0).getAsString().replaceFirst("For[A-Z].*", "");
    }
    return modelType.substring(0, 1).toUpperCase(Locale.ROOT) + modelType.substring(1);
  }
}
