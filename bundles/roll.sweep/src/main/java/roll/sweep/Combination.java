package roll.sweep;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One value for each swept key.
 *
 * @param values by key, in the order of the command line
 */
record Combination(Map<String, String> values) {
  private static final int LONGEST = 40;
  private static final String UNSAFE = "[^A-Za-z0-9.+=-]+";

  Combination {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** Returns the settings {@code key=value} of a run. */
  List<String> settings() {
    return values.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList();
  }

  /** Returns the values except the seed. */
  Map<String, String> withoutSeed() {
    Map<String, String> others = new LinkedHashMap<>(values);
    others.remove(SweepAxis.SEED);
    return others;
  }

  /** Returns the label for tables, with keys abbreviated to their last parts where unique. */
  String label() {
    return label(values);
  }

  /** Returns the label of {@code values} for tables; empty if there are none. */
  static String label(Map<String, String> values) {
    return values.entrySet().stream()
        .map(e -> shown(e.getKey(), values.keySet()) + "=" + e.getValue())
        .collect(Collectors.joining(" "));
  }

  /**
   * Returns the folder name: like {@link #label}, with the seed last and only characters that need
   * no quoting. Values with other characters, and long ones, get part of their digest.
   */
  String folder() {
    List<String> parts = new ArrayList<>();
    withoutSeed()
        .forEach((key, value) -> parts.add(shown(key, values.keySet()) + "=" + plain(value)));
    String seed = values.get(SweepAxis.SEED);
    if (seed != null) {
      parts.add(SweepAxis.SEED + "=" + plain(seed));
    }
    String name = String.join("_", parts);
    return name.length() <= 4 * LONGEST
        ? name
        : name.substring(0, 4 * LONGEST) + "-" + digest(name).substring(0, 6);
  }

  private static String shown(String key, Set<String> keys) {
    String last = last(key);
    return keys.stream().filter(other -> last(other).equals(last)).count() == 1 ? last : key;
  }

  private static String last(String key) {
    return key.substring(key.lastIndexOf('.') + 1);
  }

  private static String plain(String value) {
    String plain = value.replaceAll(UNSAFE, "-");
    if (plain.equals(value) && value.length() <= LONGEST) {
      return value;
    }
    return plain.substring(0, Math.min(plain.length(), LONGEST))
        + "-"
        + digest(value).substring(0, 6);
  }

  /** Returns the SHA-256 of {@code text} in hexadecimal. */
  static String digest(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }
}
