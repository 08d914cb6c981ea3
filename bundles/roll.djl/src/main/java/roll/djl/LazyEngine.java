package roll.djl;

import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLClassLoader;
import java.nio.file.FileSystemException;
import java.util.Dictionary;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceFactory;
import org.osgi.framework.ServiceRegistration;

/**
 * The engine as a service that loads the native libraries on first use, so that commands without
 * tensors do not load them.
 *
 * <p>DJL finds engines and libraries by the context class loader, which is set during loading.
 */
final class LazyEngine implements ServiceFactory<Engine> {
  /** Service property: why the engine cannot be loaded, in one line. */
  static final String REFUSED = "libtorch.refused";

  private final NativeJars natives;
  private final NativeLibraryFolder libraries;
  private @Nullable Engine engine;

  LazyEngine(NativeJars natives, NativeLibraryFolder libraries) {
    this.natives = natives;
    this.libraries = libraries;
  }

  @Override
  public synchronized Engine getService(Bundle bundle, ServiceRegistration<Engine> registration) {
    if (engine == null) {
      try {
        engine = start();
      } catch (EngineException | UncheckedIOException | LinkageError failure) {
        // The framework returns null to the caller and drops the exception, so it is kept here.
        refuse(registration, failure);
        throw failure;
      }
    }
    return engine;
  }

  @Override
  public void ungetService(
      Bundle bundle, ServiceRegistration<Engine> registration, Engine service) {}

  private static void refuse(ServiceRegistration<Engine> registration, Throwable failure) {
    Dictionary<String, Object> properties = registration.getReference().getProperties();
    properties.put(REFUSED, reason(failure));
    registration.setProperties(properties);
  }

  /** Returns the innermost cause of {@code failure} in one line, with a remedy for a folder. */
  static String reason(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root instanceof FileSystemException
        ? "native libraries cannot be unpacked: %s; %s names another folder"
            .formatted(root, NativeLibraryFolder.CACHE)
        : String.valueOf(root.getMessage()).lines().findFirst().orElse("");
  }

  private Engine start() {
    try {
      return libraries.loading(this::load);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Engine load() {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    ClassLoader bundle = LazyEngine.class.getClassLoader();
    try (URLClassLoader loader = natives.loader(bundle)) {
      thread.setContextClassLoader(loader);
      Engine started = Engine.getInstance();
      Class.forName("ai.djl.huggingface.tokenizers.jni.LibUtils", true, bundle);
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
