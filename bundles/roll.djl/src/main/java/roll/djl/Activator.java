package roll.djl;

import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers DJL's {@link Engine}, offline and without telemetry, with properties that describe the
 * selected libtorch, or why the user's choice cannot be loaded. Without a native library for this
 * machine it logs one line and registers nothing.
 */
public final class Activator implements BundleActivator {
  /** System property that remembers which class loader owns the native libraries. */
  private static final String OWNER = "roll.djl.loader";

  /** Service property: the selected libtorch, and why. */
  private static final String LIBTORCH = "libtorch";

  /** Service property: why other builds were not selected, one line for each. */
  private static final String PASSED_OVER = "libtorch.passed_over";

  private static final Logger LOG = LoggerFactory.getLogger(Activator.class);

  @Override
  public void start(BundleContext context) {
    own();
    setDefault("ai.djl.offline", "true");
    setDefault("OPT_OUT_TRACKING", "true");
    NativeJars natives = NativeJars.ofThisProcess();
    Map<String, Object> properties = new HashMap<>(Map.of("engine", "PyTorch"));
    try {
      LibtorchChoice choice = choose(natives);
      if (choice.build() != null) {
        natives = natives.withoutLibtorch();
      }
      properties.put(LIBTORCH, choice.line());
      properties.put(PASSED_OVER, choice.passedOver());
      Optional<String> problem =
          choice.build() != null ? Optional.empty() : natives.problem(NativeJars.platform());
      if (problem.isPresent()) {
        choice.passedOver().forEach(LOG::error);
        LOG.error(problem.get());
        return;
      }
    } catch (EngineException misfit) {
      properties.put(LazyEngine.REFUSED, misfit.getMessage());
    }
    context.registerService(
        Engine.class, new LazyEngine(natives, libraries()), FrameworkUtil.asDictionary(properties));
  }

  /** Selects libtorch; reads no files unless one is named. */
  private static LibtorchChoice choose(NativeJars natives) {
    ClassLoader bundle = Activator.class.getClassLoader();
    try (URLClassLoader loader = natives.withoutLibtorch().loader(bundle)) {
      return LibtorchChoice.of(LibtorchSources.ofThisProcess(() -> loader));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void stop(BundleContext context) {}

  /**
   * Refuses a second start in one JVM: a JNI library belongs to one class loader until the JVM
   * ends, and a refreshed bundle has a new one. The framework swallows the exception, so it is
   * logged.
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

  /** Returns the folder to which DJL unpacks, and configures it in DJL. */
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
