package roll.tracking.mlflow;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Metrics and settings under the names that MLflow takes. */
final class Names {
  private static final int LONGEST = 250;

  /** What every version of MLflow takes as a value. */
  private static final int LONGEST_VALUE = 500;

  private Names() {}

  /** {@code name} with the characters that a name may have; it is a path, with no empty part. */
  static String of(String name) {
    String plain =
        name.replace("@", "_at_").replaceAll("[^A-Za-z0-9_\\-. /]", "_").replaceAll("//+", "/");
    String path = plain.replaceAll("^[/.]+|(?<!/)/+$", "");
    String cut = path.substring(0, Math.min(LONGEST, path.length()));
    return cut.isBlank() ? "unnamed" : cut;
  }

  /** The settings one by one: a key within another follows it and a dot. */
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
      flat.put(of(key), text.substring(0, Math.min(LONGEST_VALUE, text.length())));
    }
  }
}
