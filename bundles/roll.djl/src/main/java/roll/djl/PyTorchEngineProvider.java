package roll.djl;

import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.pytorch.engine.PtEngineProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * DJL's PyTorch engine with the selected libtorch, inside and outside OSGi: DJL finds it as a
 * service on the class path. The selected libtorch is checked before anything is loaded.
 */
public final class PyTorchEngineProvider extends PtEngineProvider {
  private static final Logger LOG = LoggerFactory.getLogger(PyTorchEngineProvider.class);

  private @Nullable Engine engine;

  /** Creates the provider; called by DJL. */
  public PyTorchEngineProvider() {}

  /**
   * Returns the engine, loaded at the first call.
   *
   * @throws EngineException with one line if the libtorch that was named cannot be loaded
   */
  @Override
  public synchronized Engine getEngine() {
    if (engine == null) {
      LibtorchChoice choice =
          LibtorchChoice.of(
              LibtorchSources.ofThisProcess(() -> Thread.currentThread().getContextClassLoader()));
      if (choice.build() != null) {
        LOG.info(choice.line());
        choice.properties().forEach(System::setProperty);
      }
      engine = super.getEngine();
    }
    return engine;
  }
}
