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
 * The interactive shell: JLine and Gogo's shell. The distribution parks both on a start level that
 * is never reached, so that single commands start faster.
 */
final class InteractiveShell {
  /** Start level of the parked bundles. */
  private static final int PARKED = 10;

  private static final String JLINE = "org.jline";
  private static final String GOGO_THREAD = "Gogo shell";

  private final BundleContext context;
  private final Bundle framework;

  InteractiveShell(BundleContext context) {
    this.context = context;
    this.framework = context.getBundle(0);
  }

  /**
   * Starts the shell, and stops the framework when the user leaves it. JLine finds its terminal
   * providers with the context class loader, which Gogo does not set.
   */
  void start() throws BundleException {
    // Gogo would print a line of its own and stop the framework
    System.setProperty("gosh.args", "--noshutdown");
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try {
      for (Bundle bundle : parked()) {
        // Otherwise setStartLevel would start it on the framework's thread.
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
    Thread.getAllStackTraces().keySet().stream()
        .filter(running -> running.getName().equals(GOGO_THREAD))
        .forEach(gogo -> Thread.ofVirtual().name("roll.main shell").start(() -> leaveAfter(gogo)));
    SignalWatch.register("TERM", this::leave);
    SignalWatch.register("HUP", this::leave);
  }

  /** Returns the parked bundles, JLine first. */
  private List<Bundle> parked() {
    return Stream.of(context.getBundles())
        .filter(bundle -> bundle.adapt(BundleStartLevel.class).getStartLevel() == PARKED)
        .sorted(Comparator.comparing(bundle -> !bundle.getSymbolicName().equals(JLINE)))
        .toList();
  }

  private void leaveAfter(Thread gogo) {
    try {
      gogo.join();
      leave();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops the framework, so that active runs can save their state. */
  private void leave() {
    try {
      framework.stop();
    } catch (BundleException e) {
      throw new IllegalStateException(e);
    }
  }
}
