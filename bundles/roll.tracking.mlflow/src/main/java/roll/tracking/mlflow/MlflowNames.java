package roll.tracking.mlflow;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** MlflowNames and settings in the form that MLflow accepts. */
final class MlflowNames {
  private static final int MAX_NAME = 250;

  /** The maximum length that every version of MLflow accepts. */
  private static final int MAX_VALUE = 500;

  private MlflowNames() {}

  /** Returns {@code name} with allowed characters only; it is a path without empty parts. */
  static String of(String name) {
    String plain =
        name.replace("@", "_at_").replaceAll("[^A-Za-z0-9_\\-. /]", "_").replaceAll("//+", "/");
    String path = plain.replaceAll("^[/.]+|(?<!/)/+$", "");
    String cut = path.substring(0, Math.min(MAX_NAME, path.length()));
    return cut.isBlank() ? "unnamed" : cut;
  }

  /** Returns the settings by flat key: {@code outer.inner}. */
  static Map<String, String> flat(Map<String, @Nullable Object> settings) {
    Map<String, String> flat = new LinkedHashMap<>();
    settings.forEach((key, value) -> put(flat, key, value));
    return flat;
  }

  private static void put(Map<String, String> flat, String key, @Nullable Object value) {
    if (value instanceof Map<?, ?> map && !map.isEmpty()) {
      map.forEach((inner, its) -> put(flat, key + "." + inner, its));
    } else if (value instanceof List<?> list && list.stream().anyMatch(Map.class::isInstance)) {
      for (int i = 0; i < list.size(); i++) {
        put(flat, key + "." + i, list.get(i));
      }
    } else {
      String text = String.valueOf(value);
      flat.put(of(key), text.substring(0, Math.min(MAX_VALUE, text.length())));
    }
  }
}
