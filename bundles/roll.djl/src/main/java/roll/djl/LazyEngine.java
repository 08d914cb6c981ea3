package roll.djl;

import ai.djl.engine.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLClassLoader;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceFactory;
import org.osgi.framework.ServiceRegistration;

/**
 * The engine as a service that loads the native libraries when somebody takes it first, so that a
 * command without tensors pays nothing.
 *
 * <p>DJL looks for engines and libraries with the context class loader; it is set for the time of
 * loading, and whoever holds the service need not care any more.
 */
final class LazyEngine implements ServiceFactory<Engine> {
  private final Natives natives;
  private final NativeLibraryFolder libraries;
  private @Nullable Engine engine;

  LazyEngine(Natives natives, NativeLibraryFolder libraries) {
    this.natives = natives;
    this.libraries = libraries;
  }

  @Override
  public synchronized Engine getService(Bundle bundle, ServiceRegistration<Engine> registration) {
    if (engine == null) {
      engine = start();
    }
    return engine;
  }

  @Override
  public void ungetService(
      Bundle bundle, ServiceRegistration<Engine> registration, Engine service) {}

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
