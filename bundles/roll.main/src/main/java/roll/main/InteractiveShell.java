package roll.main;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.framework.wiring.BundleWiring;

/**
 * The interactive shell: JLine and Gogo's shell on it. The distribution parks both on a start level
 * that is never reached, so that a single command does not pay for them.
 */
final class InteractiveShell {
  /** Start level of the parked bundles. */
  private static final int PARKED = 10;

  private static final String JLINE = "org.jline";

  private final BundleContext context;

  InteractiveShell(BundleContext context) {
    this.context = context;
  }

  /**
   * Starts the shell; when the user leaves it, it stops the framework. JLine looks for its
   * terminals with the context class loader, which Gogo does not set: without it the terminal would
   * be dumb.
   */
  void start() throws BundleException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try {
      for (Bundle bundle : parked()) {
        // Else the new level would start it, on the framework's thread and with its class loader.
        bundle.stop();
        bundle.adapt(BundleStartLevel.class).setStartLevel(1);
        bundle.start(Bundle.START_TRANSIENT);
        if (bundle.getSymbolicName().equals(JLINE)) {
          thread.setContextClassLoader(bundle.adapt(BundleWiring.class).getClassLoader());
        }
      }
    } finally {
      thread.setContextClassLoader(before);
    }
    SignalWatch.register("TERM", this::leave);
    SignalWatch.register("HUP", this::leave);
  }

  /** The parked bundles, JLine first. */
  private List<Bundle> parked() {
    return Stream.of(context.getBundles())
        .filter(bundle -> bundle.adapt(BundleStartLevel.class).getStartLevel() == PARKED)
        .sorted(Comparator.comparing(bundle -> !bundle.getSymbolicName().equals(JLINE)))
        .toList();
  }

  /** Stops every bundle in order, so that a run that is in progress can save its state. */
  private void leave() {
    try {
      context.getBundle(0).stop();
    } catch (BundleException e) {
      throw new IllegalStateException(e);
    }
  }
}
