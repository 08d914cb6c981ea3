package roll.torch;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.djl.engine.Engine;
import ai.djl.engine.StandardCapabilities;
import roll.torch.foreign.CudaDriver;

/** The card of the machine that tests run on, if it has one. */
public final class Cards {
  private Cards() {}

  /** Returns the first card, to be closed; skips the test if libtorch computes on none. */
  public static Device first() {
    boolean there =
        !CudaDriver.cards().isEmpty()
            && Engine.getEngine("PyTorch").hasCapability(StandardCapabilities.CUDA);
    assumeTrue(there, "no card that libtorch computes on");
    return Device.gpu(() -> Engine.getEngine("PyTorch"), 0, 1);
  }
}
