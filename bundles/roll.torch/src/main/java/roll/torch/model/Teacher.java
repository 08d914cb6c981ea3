package roll.torch.model;

import ai.djl.ndarray.NDManager;
import roll.api.scoring.GeneralizedJsd;
import roll.api.strategy.TokenBatch;
import roll.torch.Device;
import roll.torch.MicroBatch;

/**
 * A frozen model from whose distributions those of a student in training diverge. Borrowed; used
 * only on the device's compute thread.
 *
 * @param divergence kind of the divergence
 */
public record Teacher(ModelDistributions model, GeneralizedJsd divergence) {
  /**
   * Checks that students may be trained on {@code device}.
   *
   * @throws IllegalArgumentException if this model is on another one
   */
  public Teacher on(Device device) {
    if (model.device() != device) {
      throw new IllegalArgumentException("the teacher is on another device");
    }
    return this;
  }

  /** Returns the teacher's hidden states for {@code part}, owned by {@code owner}. */
  public TeacherRows rows(NDManager owner, TokenBatch batch, MicroBatch part) {
    return new TeacherRows(model.hidden(owner, batch, part), model.head(), divergence);
  }
}
