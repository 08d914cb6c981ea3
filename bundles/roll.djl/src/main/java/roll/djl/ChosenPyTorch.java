package roll.djl;

import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.pytorch.engine.PtEngineProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * DJL's PyTorch engine on the libtorch that was chosen, inside OSGi and outside: DJL asks for it as
 * a service of the class path. What is chosen is checked, and said, before anything is loaded.
 */
public final class ChosenPyTorch extends PtEngineProvider {
  private static final Logger LOG = LoggerFactory.getLogger(ChosenPyTorch.class);

  private @Nullable Engine engine;

  /** For DJL. */
  public ChosenPyTorch() {}

  /**
   * The engine, loaded when first asked for.
   *
   * @throws EngineException with one line if the libtorch that was named cannot be loaded
   */
  @Override
  public synchronized Engine getEngine() {
    if (engine == null) {
      LibtorchChoice choice =
          LibtorchChoice.of(
              Surroundings.ofThisProcess(() -> Thread.currentThread().getContextClassLoader()));
      if (choice.build() != null) {
        LOG.info(choice.line());
        choice.properties().forEach(System::setProperty);
      }
      engine = super.getEngine();
    }
    return engine;
  }
}
