import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Suggestions for an unknown name. */
class NearestNames {
  private static final int SHOWN = 3;

  private NearestNames() {}

  /** Returns the names closest to {@code name}, as the end of a message. */
  static String among(Collection<String> names, String name) {
    if (names.isEmpty()) {
      return "there is none";
    }
    Map<String, Integer> distances = new TreeMap<>();
    for (String other : names) {
      distances.put(other, distance(name.toLowerCase(Locale.ROOT), other.toLowerCase(Locale.ROOT)));
    }
    int least = Collections.min(distances.values());
    return distances.entrySet().stream()
        .filter(entry -> entry.getValue() <= least + 1)
        .sorted(Map.Entry.comparingByValue())
        .limit(SHOWN)
        .map(Map.Entry::getKey)
        .collect(Collectors.joining(", ", "nearest: ", ""));
  }

  /** Returns the Levenshtein distance; a name that contains the other is closer than any other. */
  private static int distance(String a, String b) {
    if (b.contains(a)) {
      return 0;
    }
    int[] row = new int[b.length() + 1];
    Arrays.setAll(row, j -> j);
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
