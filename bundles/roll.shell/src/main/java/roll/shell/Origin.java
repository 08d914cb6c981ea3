package roll.shell;

import java.nio.file.Path;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;

/** Where bundles come from. */
public final class Origin {
  private Origin() {}

  /** The file in the watched folder that {@code bundle} came from; empty for what was shipped. */
  public static String of(BundleContext context, Bundle bundle) {
    String watched = context.getProperty("roll.deploy.dir");
    if (watched == null) {
      return "";
    }
    Path folder = Path.of(watched).toAbsolutePath().normalize();
    String here = folder.toFile().toURI().toString(); // ends with / only where the folder exists
    String inside = here.endsWith("/") ? here : here + "/";
    String location = bundle.getLocation();
    return location.startsWith(inside)
        ? folder.getFileName() + "/" + location.substring(inside.length())
        : "";
  }
}
