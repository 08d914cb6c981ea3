package roll.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.training.GradientCollector;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;

/** libtorch computes inside the framework. */
@Tag("framework")
@Timeout(120)
class EngineTest {
  @Test
  void differentiates() {
    BundleContext context = Plugins.context();
    ServiceReference<Engine> reference = context.getServiceReference(Engine.class);
    assertNotNull(reference, "no engine: see the log for why");
    Engine engine = context.getService(reference);
    assertEquals("PyTorch", engine.getEngineName());
    try (NDManager manager = engine.newBaseManager()) {
      NDArray w = manager.create(new float[] {3, -2});
      w.setRequiresGradient(true);
      try (GradientCollector gradients = engine.newGradientCollector()) {
        gradients.backward(w.mul(w).sum());
      }
      assertArrayEquals(new float[] {6, -4}, w.getGradient().toFloatArray());
    } finally {
      context.ungetService(reference);
    }
  }
}
