package roll.health;

import java.util.List;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.framework.startlevel.FrameworkStartLevel;
import org.osgi.framework.wiring.BundleRevision;

/**
 * The states of the bundles of this framework.
 *
 * @param context of any bundle
 */
record FrameworkState(BundleContext context) {
  /** Returns the bundles that should be active and are not, as {@code name version: state}. */
  List<String> problems() {
    Bundle system = context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION);
    int level = system.adapt(FrameworkStartLevel.class).getStartLevel();
    return Stream.of(context.getBundles())
        .filter(bundle -> !runs(bundle) && due(bundle, level))
        .map(b -> b.getSymbolicName() + " " + b.getVersion() + ": " + state(b.getState()))
        .sorted()
        .toList();
  }

  /** Returns whether a bundle is ready: lazily activated ones are while they start. */
  private static boolean runs(Bundle bundle) {
    return bundle.getState() == Bundle.ACTIVE || bundle.getState() == Bundle.STARTING;
  }

  /** Returns whether a bundle should be active: not a fragment, and its start level is reached. */
  private static boolean due(Bundle bundle, int level) {
    BundleStartLevel own = bundle.adapt(BundleStartLevel.class);
    BundleRevision revision = bundle.adapt(BundleRevision.class);
    boolean fragment =
        revision != null && (revision.getTypes() & BundleRevision.TYPE_FRAGMENT) != 0;
    return !fragment && own != null && own.getStartLevel() <= level;
  }

  private static String state(int state) {
    return switch (state) {
      case Bundle.INSTALLED -> "installed";
      case Bundle.RESOLVED -> "resolved";
      case Bundle.STOPPING -> "stopping";
      case Bundle.UNINSTALLED -> "uninstalled";
      default -> "starting";
    };
  }
}
