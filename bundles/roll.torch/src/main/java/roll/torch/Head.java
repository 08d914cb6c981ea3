package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;

/**
 * The output head of a {@link Decoder}: log-probs of given tokens and entropies, and their gradient
 * written out by hand (see {@code head.py}), in chunks of rows. Used on the compute thread alone.
 */
final class Head {
  /** Logits that are worked on at once: 2²³ floats are 32 MB. */
  private static final long CHUNK = 1 << 23;

  /**
   * Log-probs that may be kept between forward and backward: 512 MB; beyond they are made again.
   */
  private static final long KEEP = 1 << 27;

  private final Decoder decoder;
  private final int weight;
  private final int chunk;
  private final long keep;

  Head(Decoder decoder) {
    this(decoder, CHUNK, KEEP);
  }

  /** A head with other limits: logits worked on at once, and kept. */
  Head(Decoder decoder, long chunk, long keep) {
    DecoderSpec spec = decoder.spec();
    this.decoder = decoder;
    this.weight = spec.has(Trait.TIED_HEAD) ? 0 : spec.parameters().size() - 1;
    this.chunk = Math.toIntExact(Math.max(1, chunk / spec.vocabulary()));
    this.keep = keep;
  }

  /**
   * Log-probs and entropies of the tokens {@code targets} [N] after {@code rows} [N, hidden].
   *
   * @param owner owns the results
   * @param backward whether {@link #backward} will follow
   */
  Result forward(
      NDManager owner, Parameters parameters, NDArray rows, NDArray targets, boolean backward) {
    long size = rows.getShape().get(0) * decoder.spec().vocabulary();
    NDList results =
        decoder
            .kernels()
            .call(
                owner,
                "head_forward",
                rows,
                parameters.tensors().get(weight),
                targets,
                chunk,
                backward && size <= keep);
    return new Result(results, rows, targets);
  }

  /**
   * The gradient by the rows of {@code result}; that of the head's weight, if it is trained, is
   * added to {@code gradients}.
   *
   * @param owner owns the result
   * @param byLogProb derivatives of the loss by each log-prob [N]
   * @param byEntropy derivatives of the loss by each entropy [N]
   */
  NDArray backward(
      NDManager owner,
      Parameters parameters,
      Gradients gradients,
      Result result,
      NDArray byLogProb,
      NDArray byEntropy) {
    return decoder
        .kernels()
        .call(
            owner,
            "head_backward",
            result.rows,
            parameters.tensors().get(weight),
            gradients.of(parameters.tensors().get(weight)),
            result.targets,
            result.entropies(),
            byLogProb,
            byEntropy,
            result.tensors.subNDList(2),
            chunk)
        .singletonOrThrow();
  }

  /** What {@link #forward} found, and what {@link #backward} needs of it. */
  record Result(NDList tensors, NDArray rows, NDArray targets) {
    /** f32 [N]. */
    NDArray logProbs() {
      return tensors.get(0);
    }

    /** f32 [N], in nats. */
    NDArray entropies() {
      return tensors.get(1);
    }
  }
}
