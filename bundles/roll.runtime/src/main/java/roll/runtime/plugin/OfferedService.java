package roll.runtime.plugin;

import java.util.List;

/**
 * A registered plugin with the bundle that offers it.
 *
 * @param number of the service in this framework; none has that of another one
 * @param kind namespace of its names, such as {@code roll.env}
 * @param ids its names
 * @param bundle symbolic name of its bundle
 * @param version of the bundle
 * @param from the file in the watched folder that the bundle came from; empty for what was shipped
 */
public record OfferedService(
    long number, String kind, List<String> ids, String bundle, String version, String from) {
  /** Creates an offered service with immutable copies of the names. */
  public OfferedService {
    ids = List.copyOf(ids);
  }
}
