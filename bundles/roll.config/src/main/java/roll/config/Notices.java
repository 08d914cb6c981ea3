package roll.config;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What a person is told of a configuration. */
final class Notices {
  private static final String IDLE = " has no effect here: ";

  private Notices() {}

  /**
   * Those of {@code notices} on another system's options, which never do anything here; not on an
   * option that another one switches off.
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
}
