package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;

/**
 * The head of a language model: two columns, the log-probs of the given tokens and the entropies in
 * nats, made in chunks of rows (see {@code head.py}).
 */
final class TokenHead implements Head {
  /** Logits that are worked on at once: 2²⁴ floats are 64 MB, or 110 rows of 152,000 words. */
  private static final long CHUNK = 1 << 24;

  /**
   * Log-probs that may be kept between forward and backward: 128 MB; beyond they are made again, so
   * that memory grows with neither tokens nor words.
   */
  private static final long KEEP = 1 << 25;

  private final Decoder decoder;
  private final int weight;
  private final int chunk;
  private final long keep;

  TokenHead(Decoder decoder) {
    this(decoder, CHUNK, KEEP);
  }

  /** A head with other limits: logits worked on at once, and kept. */
  TokenHead(Decoder decoder, long chunk, long keep) {
    DecoderSpec spec = decoder.spec();
    this.decoder = decoder;
    this.weight = spec.has(Trait.TIED_HEAD) ? 0 : spec.parameters().size() - 1;
    this.chunk = Math.toIntExact(Math.max(1, chunk / spec.vocabulary()));
    this.keep = keep;
  }

  @Override
  public Output forward(
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
    return new Output(rows, targets, results.subNDList(0, 2), results.subNDList(2));
  }

  @Override
  public NDArray backward(
      NDManager owner,
      Parameters parameters,
      Gradients gradients,
      Output output,
      NDList byColumns) {
    return decoder
        .kernels()
        .call(
            owner,
            "head_backward",
            output.rows(),
            parameters.tensors().get(weight),
            gradients.of(parameters.tensors().get(weight)),
            output.targets(),
            output.columns().get(1),
            byColumns.get(0),
            byColumns.get(1),
            output.kept(),
            chunk)
        .singletonOrThrow();
  }
}
