package roll.sweep;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.option.UserException;

/**
 * The runs of a sweep: settings that all share, and keys whose combinations are run.
 *
 * @param fixed settings {@code key=value}
 * @param axes swept keys, at least one
 */
record SweepSpace(List<String> fixed, List<SweepAxis> axes) {
  private static final int MOST = 200;

  /** The key that the sweep sets itself. */
  private static final String RESUME = "resume_from_checkpoint";

  /** Keys that name the sweep folder and cannot be swept. */
  private static final Set<String> PLACES = Set.of("exp_name", "output_dir");

  SweepSpace {
    fixed = List.copyOf(fixed);
    axes = List.copyOf(axes);
  }

  /**
   * Separates settings with a list from others. A list with a single list or mapping means that
   * value.
   *
   * @throws UserException if a word is no setting, a key is given twice, or nothing is swept
   */
  static SweepSpace of(List<String> words) {
    List<String> fixed = new ArrayList<>();
    List<SweepAxis> axes = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals < 1) {
        throw new UserException(
            "sweep: expected key=value or key=[a,b], found '%s'%s"
                .formatted(
                    word, word.startsWith("[") ? " (a list needs quotes: 'seed=[1,2]')" : ""));
      }
      String key = word.substring(0, equals);
      String value = word.substring(equals + 1);
      boolean list = ValueList.begins(value);
      if (!keys.add(key)) {
        throw new UserException("sweep: " + key + " is given twice");
      }
      if (key.equals(RESUME)) {
        throw new UserException("sweep: " + key + " is set by the sweep itself: omit it");
      }
      SweepAxis axis = list ? SweepAxis.of(key, value) : new SweepAxis(key, List.of(value));
      if (!list || (axis.values().size() == 1 && structure(axis.values().getFirst()))) {
        fixed.add(key + "=" + axis.values().getFirst());
      } else if (PLACES.contains(key)) {
        throw new UserException(
            "sweep: %s names the folder and needs a single value".formatted(key));
      } else {
        axes.add(axis);
      }
    }
    return checked(new SweepSpace(fixed, axes));
  }

  private static boolean structure(String value) {
    return value.startsWith("[") || value.startsWith("{");
  }

  private static SweepSpace checked(SweepSpace space) {
    if (space.axes.isEmpty()) {
      throw new UserException("sweep: nothing to sweep: give a key a list, such as seed=[1,2,3]");
    }
    long combinations = 1;
    for (SweepAxis axis : space.axes) {
      combinations = Math.min(Integer.MAX_VALUE, combinations * axis.values().size());
    }
    if (combinations > MOST) {
      throw new UserException(
          "sweep: %d combinations are too many: at most %d".formatted(combinations, MOST));
    }
    return space;
  }

  /** Returns the swept keys in order. */
  List<String> keys() {
    return axes.stream().map(SweepAxis::key).toList();
  }

  /** Returns all combinations; the last key varies fastest. */
  List<Combination> combinations() {
    List<Map<String, String>> all = new ArrayList<>(List.of(Map.of()));
    for (SweepAxis axis : axes) {
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> values : all) {
        for (String value : axis.values()) {
          Map<String, String> more = new LinkedHashMap<>(values);
          more.put(axis.key(), value);
          longer.add(more);
        }
      }
      all = longer;
    }
    return all.stream().map(Combination::new).toList();
  }
}
