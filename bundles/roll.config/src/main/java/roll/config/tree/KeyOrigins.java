package roll.config.tree;

import java.util.NavigableMap;
import java.util.TreeMap;

/** The origin of each key of a configuration: {@code file:line}, or the override that set it. */
public final class KeyOrigins {
  private final String root;
  private final NavigableMap<String, String> places = new TreeMap<>();

  /** No origins yet; {@code root} is returned for keys that were not written. */
  public KeyOrigins(String root) {
    this.root = root;
  }

  /** Whether {@code path} or a key inside it was written. */
  public boolean written(String path) {
    return places.containsKey(path)
        || !places.subMap(path + ".", path + (char) ('.' + 1)).isEmpty();
  }

  /**
   * Returns where the missing key {@code path} could be written: the place of an enclosing mapping
   * in the user's own file or an override, else that file.
   */
  public String ofMissing(String path) {
    String place = of(path);
    return place.startsWith(root + ":") || place.startsWith("override ") ? place : root;
  }

  /** Records that the key {@code path} was set at {@code place}. */
  public void put(String path, String place) {
    places.put(path, place);
  }

  /** Adds all origins of {@code later}, which override those here. */
  void putAll(KeyOrigins later) {
    places.putAll(later.places);
  }

  /**
   * Removes the origins of {@code path} and everything inside it, because the value is replaced as
   * a whole.
   */
  void forget(String path) {
    places.remove(path);
    places
        .subMap(path + ".", path + (char) ('.' + 1))
        .clear(); // all that begin with path and a dot
  }

  /**
   * Returns the origin of the key {@code path}, or of the nearest enclosing mapping that has one.
   */
  public String of(String path) {
    for (String p = path; ; p = p.substring(0, p.lastIndexOf('.'))) {
      String place = places.get(p);
      if (place != null) {
        return place;
      }
      if (p.indexOf('.') < 0) {
        return root;
      }
    }
  }
}
