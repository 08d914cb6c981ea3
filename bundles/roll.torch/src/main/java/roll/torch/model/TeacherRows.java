package roll.torch.model;

import ai.djl.ndarray.NDArray;
import roll.api.scoring.GeneralizedJsd;

/**
 * The teacher's part of a divergence in a micro-batch. Its logits are computed where they are
 * compared, in chunks.
 *
 * @param hidden [N, hidden of the teacher], the states that predict the scored tokens
 * @param head weight of the teacher's token head
 * @param divergence kind of the divergence
 */
public record TeacherRows(NDArray hidden, NDArray head, GeneralizedJsd divergence) {}
