package roll.parallel;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.parallel.collective.Communicator;
import roll.parallel.shard.PipelineStage;
import roll.parallel.shard.RankShards;
import roll.parallel.shard.VocabParallelHead;
import roll.torch.model.Head;

/**
 * The last norm and the head of one rank of the last pipeline stage, forward and backward. Used on
 * the rank's compute thread.
 */
final class RankHead {
  private final RankKernels kernels;
  private final PipelineStage stage;
  private final RankShards shards;
  private final Head head;
  private final List<Integer> parameters;

  /** Whether this rank's gradients are a term of the sum over the tensor-parallel ranks. */
  private final boolean counts;

  /**
   * Creates the head of {@code spec}.
   *
   * @param tensor the tensor-parallel ranks
   */
  RankHead(
      DecoderSpec spec,
      RankKernels kernels,
      PipelineStage stage,
      RankShards shards,
      Communicator tensor) {
    this.kernels = kernels;
    this.stage = stage;
    this.shards = shards;
    this.parameters = Head.parameters(spec);
    this.counts = tensor.rank() == 0 || !spec.has(Trait.VALUE_HEAD);
    this.head =
        tensor.size() > 1 && !spec.has(Trait.VALUE_HEAD)
            ? new VocabParallelHead(kernels.all(), stage.share().vocabulary(), tensor)
            : Head.of(spec, kernels.all());
  }

  /**
   * Returns the output for the residual stream {@code all} after the last layer.
   *
   * @param backward whether {@link #backward} follows
   */
  Head.Output forward(MicroBatchPass pass, NDArray all, boolean backward) {
    NDArray norm = shards.weights(List.of(stage.norm()), parameters).singletonOrThrow();
    NDArray rows = kernels.lastNorm(pass, all, norm);
    NDList weights = shards.weights(parameters, List.of());
    return head.forward(pass.owner(), weights, rows, pass.targets(), backward);
  }

  /**
   * Runs the head of {@code pass} backward.
   *
   * @param byColumns derivatives of the loss with respect to its columns, f32 [N] each
   * @return the rank's term of the derivatives with respect to the residual stream
   */
  NDArray backward(MicroBatchPass pass, NDList byColumns) {
    NDList by = counts ? byColumns : new NDList(byColumns.singletonOrThrow().zerosLike());
    NDList weights = shards.weights(parameters, List.of());
    List<Integer> trained = stage.trained(parameters);
    Iterator<NDArray> gradients = shards.gradients(trained).iterator();
    NDArray byRows =
        head.backward(
            pass.owner(),
            weights,
            parameters.stream()
                .map(p -> trained.contains(p) ? new NDList(gradients.next()) : new NDList())
                .toList(),
            Objects.requireNonNull(pass.output()),
            by);
    shards.reduce(trained);
    NDArray norm = shards.weights(List.of(stage.norm()), List.of()).singletonOrThrow();
    List<Integer> norms = stage.trained(List.of(stage.norm()));
    NDList normGradient = shards.gradients(norms);
    NDArray part = kernels.lastNormBackward(pass, norm, byRows, normGradient);
    shards.reduce(norms);
    return part;
  }
}
