package roll.djl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The engine outside OSGi, with the native libraries on the class path. */
class EngineTest {
  @Test
  void pyTorchIsTheOnlyEngine() {
    assertEquals("PyTorch", Engine.getInstance().getEngineName());
    assertEquals(Set.of("PyTorch"), Engine.getAllEngines());
  }

  @Test
  void multiplies() {
    try (NDManager manager = NDManager.newBaseManager()) {
      NDArray a = manager.create(new float[] {1, 2, 3, 4}, new Shape(2, 2));
      NDArray b = manager.create(new float[] {5, 6, 7, 8}, new Shape(2, 2));
      assertArrayEquals(new float[] {19, 22, 43, 50}, a.matMul(b).toFloatArray());
    }
  }

  @Test
  void differentiates() {
    try (NDManager manager = NDManager.newBaseManager()) {
      NDArray w = manager.create(new float[] {3, -2});
      w.setRequiresGradient(true);
      try (GradientCollector gradients = Engine.getInstance().newGradientCollector()) {
        gradients.backward(w.mul(w).sum());
      }
      assertArrayEquals(new float[] {6, -4}, w.getGradient().toFloatArray());
    }
  }
}
