package roll.runtime.plugin;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Determines whether a bundle was deployed or belongs to the distribution. */
public final class BundleOrigin {
  /** Framework property with the folder whose jars are deployed. */
  public static final String WATCHED = "roll.deploy.dir";

  private BundleOrigin() {}

  /**
   * Returns the file in the watched folder from which a bundle was deployed; empty for bundles of
   * the distribution.
   *
   * @param watched value of {@link #WATCHED}, or null
   * @param location of the bundle
   */
  public static String of(@Nullable String watched, String location) {
    if (watched == null) {
      return "";
    }
    Path folder = Path.of(watched).toAbsolutePath().normalize();
    String here = folder.toFile().toURI().toString(); // ends with / only where the folder exists
    String inside = here.endsWith("/") ? here : here + "/";
    return location.startsWith(inside)
        ? folder.getFileName() + "/" + location.substring(inside.length())
        : "";
  }
}
