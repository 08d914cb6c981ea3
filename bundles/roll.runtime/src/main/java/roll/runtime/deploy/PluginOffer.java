package roll.runtime.deploy;

import java.util.List;

/**
 * A bundle in a repository.
 *
 * @param name symbolic name
 * @param version bundle version
 * @param provides plugins, such as {@code env=maze}
 * @param license as its manifest says, empty if it does not
 * @param bytes size of its jar
 */
public record PluginOffer(
    String name, String version, List<String> provides, String license, long bytes) {
  /** Returns name and version. */
  public String title() {
    return name + " " + version;
  }
}
