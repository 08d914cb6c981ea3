package roll.parallel.shard;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.List;
import roll.parallel.collective.Communicator;
import roll.torch.Kernels;
import roll.torch.model.Head;

/**
 * The token head with its vocabulary sharded over the tensor-parallel ranks. Columns are those of
 * the full vocabulary, on every rank; gradients of the rows are the rank's term of a sum. Ranks
 * exchange four or five numbers for each row (see {@code rank.py}).
 */
public final class VocabParallelHead implements Head {
  /** Logits of a chunk: 2²⁴ floats are 64 MB. */
  private static final long CHUNK = 1 << 24;

  private final Kernels kernels;
  private final Communicator tensor;
  private final int chunk;

  /** Creates the head for this rank's {@code words} tokens of the vocabulary. */
  public VocabParallelHead(Kernels kernels, int words, Communicator tensor) {
    this.kernels = kernels;
    this.tensor = tensor;
    this.chunk = Math.toIntExact(Math.max(1, CHUNK / words));
  }

  @Override
  public Output forward(
      NDManager owner, NDList weights, NDArray rows, NDArray targets, boolean backward) {
    NDArray own =
        kernels
            .call(
                owner,
                "shard_statistics",
                rows,
                weights.singletonOrThrow(),
                targets,
                chunk,
                !backward)
            .singletonOrThrow();
    NDArray all = owner.zeros(new Shape(tensor.size()).addAll(own.getShape()));
    tensor.allGather(FlatTensors.memory(own), FlatTensors.memory(all));
    NDList results = kernels.call(owner, "combine_statistics", all);
    int columns = results.size() - 1;
    return new Output(rows, targets, results.subNDList(0, columns), results.subNDList(columns));
  }

  @Override
  public NDArray backward(
      NDManager owner, NDList weights, List<NDList> gradients, Output output, NDList byColumns) {
    return kernels
        .call(
            owner,
            "shard_backward",
            output.rows(),
            weights.singletonOrThrow(),
            gradients.getFirst(),
            output.targets(),
            output.columns().get(1),
            output.kept().singletonOrThrow(),
            byColumns.get(0),
            byColumns.get(1),
            chunk)
        .singletonOrThrow();
  }
}
