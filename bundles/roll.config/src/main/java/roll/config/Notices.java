package roll.config;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The notices on a configuration. */
final class Notices {
  private static final String IDLE = " has no effect here: ";

  private Notices() {}

  /**
   * The notices of {@code notices} on another system's options that never have an effect here,
   * without those on options that another one disables.
   */
  static Set<String> ofOtherSystems(List<String> notices) {
    Set<String> unneeded = new LinkedHashSet<>();
    for (String notice : notices) {
      if (notice.contains(IDLE) && !notice.endsWith(" is false")) {
        unneeded.add(notice);
      }
    }
    return unneeded;
  }

  /** Those of {@code notices} whose key no interpolation refers to, so that it does nothing. */
  static List<String> unused(List<String> notices, Set<String> referenced) {
    return notices.stream()
        .filter(notice -> referenced.stream().noneMatch(key -> notice.contains("'" + key + "'")))
        .toList();
  }
}
