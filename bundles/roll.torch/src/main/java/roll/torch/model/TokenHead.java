package roll.torch.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.List;
import roll.api.scoring.GeneralizedJsd;
import roll.torch.Kernels;

/**
 * The head of a language model, computed in chunks of rows (see {@code head.py}). Columns: the
 * log-probs of the given tokens, the entropies in nats, and, if no backward pass follows, the sums
 * of the squared probabilities.
 */
public final class TokenHead implements Head {
  /** Logits of a chunk: 2²⁴ floats are 64 MB, or 110 rows of a vocabulary of 152,000. */
  private static final long CHUNK = 1 << 24;

  /**
   * Maximum log-probs kept between forward and backward, 128 MB; beyond that they are recomputed,
   * so that memory is bounded.
   */
  private static final long KEEP = 1 << 25;

  /** The divergence has about as many more tensors of a chunk's logits at a time. */
  private static final int JSD_TENSORS = 4;

  private final Kernels kernels;
  private final int vocabulary;
  private final int chunk;
  private final long keep;

  /**
   * Creates the head for a vocabulary of {@code vocabulary} tokens, with functions in {@code
   * kernels}.
   */
  public TokenHead(Kernels kernels, int vocabulary) {
    this(kernels, vocabulary, CHUNK, KEEP);
  }

  /** Creates a head with other limits of logits in a chunk and kept. */
  public TokenHead(Kernels kernels, int vocabulary, long chunk, long keep) {
    this.kernels = kernels;
    this.vocabulary = vocabulary;
    this.chunk = Math.toIntExact(Math.max(1, chunk / vocabulary));
    this.keep = keep;
  }

  @Override
  public Output forward(
      NDManager owner, NDList weights, NDArray rows, NDArray targets, boolean backward) {
    long size = rows.getShape().get(0) * vocabulary;
    NDList results =
        kernels.call(
            owner,
            "head_forward",
            rows,
            weights.singletonOrThrow(),
            targets,
            chunk,
            backward && size <= keep,
            !backward);
    int columns = backward ? 2 : 3;
    return new Output(rows, targets, results.subNDList(0, columns), results.subNDList(columns));
  }

  /**
   * Returns for each row the KL divergence of the distribution of {@code rows} from that of {@code
   * others}, f32 [N], in nats.
   *
   * @param owner owns the result
   * @param rows [N, hidden]
   * @param weight of this head
   * @param others [N, hidden of the other model]
   * @param otherWeight of that model's head, for the same vocabulary
   */
  NDArray divergences(
      NDManager owner, NDArray rows, NDArray weight, NDArray others, NDArray otherWeight) {
    return kernels
        .call(owner, "head_divergence", rows, weight, others, otherWeight, chunk)
        .singletonOrThrow();
  }

  /**
   * Returns the divergences of rows from the teacher's, f32 [N], or a gradient of the rows.
   *
   * @param rows [N, hidden]
   * @param by derivatives of a loss by each divergence, which may be followed by a gradient of the
   *     rows to add to; or an empty list for the divergences
   * @param gradient of the weight, added to; an empty list if it is not trained
   */
  NDArray jsd(
      NDManager owner,
      NDList weights,
      NDArray rows,
      TeacherRows teacher,
      NDList by,
      NDList gradient) {
    GeneralizedJsd kind = teacher.divergence();
    return kernels
        .call(
            owner,
            "head_jsd",
            rows,
            weights.singletonOrThrow(),
            teacher.hidden(),
            teacher.head(),
            kind.beta(),
            kind.temperature(),
            kind.teacherTemperature(),
            kind.topK(),
            by,
            gradient,
            Math.max(1, chunk / JSD_TENSORS))
        .singletonOrThrow();
  }

  /** Returns this head with the divergence from {@code teacher} as a third column in training. */
  @Override
  public Head distilled(TeacherRows teacher) {
    return new DistilledHead(this, teacher);
  }

  @Override
  public NDArray backward(
      NDManager owner, NDList weights, List<NDList> gradients, Output output, NDList byColumns) {
    NDArray byEntropy = byColumns.get(1);
    return kernels
        .call(
            owner,
            "head_backward",
            output.rows(),
            weights.singletonOrThrow(),
            gradients.getFirst(),
            output.targets(),
            output.columns().get(1),
            byColumns.get(0),
            moves(byEntropy) ? byEntropy : owner.create(new Shape(0)),
            output.kept(),
            chunk)
        .singletonOrThrow();
  }

  /** Returns whether a derivative is not 0. */
  static boolean moves(NDArray by) {
    try (NDArray any = by.any()) {
      return any.getBoolean();
    }
  }
}
