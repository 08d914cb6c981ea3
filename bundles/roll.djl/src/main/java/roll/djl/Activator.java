package roll.djl;

import ai.djl.engine.Engine;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers DJL's {@link Engine}, offline and without telemetry. Where the machine has no native
 * library it says so in one line and registers nothing.
 */
public final class Activator implements BundleActivator {
  /** System property that remembers which class loader owns the native libraries. */
  private static final String OWNER = "roll.djl.loader";

  private static final Logger LOG = LoggerFactory.getLogger(Activator.class);

  @Override
  public void start(BundleContext context) {
    own();
    setDefault("ai.djl.offline", "true");
    setDefault("OPT_OUT_TRACKING", "true");
    Natives natives =
        Natives.in(
            Path.of(System.getProperty(Natives.FOLDER, "native")),
            Path.of(System.getProperty("java.class.path", "")));
    Optional<String> problem =
        System.getenv("PYTORCH_LIBRARY_PATH") != null
            ? Optional.empty()
            : natives.problem(
                Natives.platform(System.getProperty("os.name"), System.getProperty("os.arch")));
    if (problem.isPresent()) {
      LOG.error(problem.get());
      return;
    }
    context.registerService(
        Engine.class,
        new LazyEngine(natives, libraries()),
        FrameworkUtil.asDictionary(Map.of("engine", "PyTorch")));
  }

  @Override
  public void stop(BundleContext context) {}

  /**
   * Refuses a second life in one JVM: a JNI library belongs to one class loader until the JVM ends,
   * and a refreshed bundle has a new one. The framework swallows the exception, so it is logged.
   */
  private static void own() {
    String loader = Integer.toHexString(System.identityHashCode(Activator.class.getClassLoader()));
    String owner = System.getProperty(OWNER, loader);
    if (!owner.equals(loader)) {
      String message = "libtorch is bound to an earlier revision of roll.djl: restart the JVM";
      LOG.error(message);
      throw new IllegalStateException(message);
    }
    System.setProperty(OWNER, loader);
  }

  /** Where DJL unpacks to; it is told of our own folder. */
  private static NativeLibraryFolder libraries() {
    String given = System.getenv(NativeLibraryFolder.CACHE);
    NativeLibraryFolder libraries =
        NativeLibraryFolder.of(
            given == null ? System.getProperty(NativeLibraryFolder.CACHE) : given,
            System.getenv("XDG_CACHE_HOME"),
            System.getProperty("user.home"));
    if (libraries.folder() != null) {
      System.setProperty(NativeLibraryFolder.CACHE, libraries.folder().toString());
    }
    return libraries;
  }

  private static void setDefault(String key, String value) {
    if (System.getProperty(key) == null) {
      System.setProperty(key, value);
    }
  }
}
