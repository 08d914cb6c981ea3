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
 * The head of a language model of which each tensor-parallel rank has some words. Columns are those
 * of all words, on every rank; gradients by the rows are the rank's part of a sum. What the ranks
 * tell each other are four or five numbers per row (see {@code rank.py}).
 */
public final class VocabParallelHead implements Head {
  /** Logits that are worked on at once: 2²⁴ floats are 64 MB. */
  private static final long CHUNK = 1 << 24;

  private final Kernels kernels;
  private final Communicator tensor;
  private final int chunk;

  /** The head of {@code words} words of this rank. */
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
            .call(owner, "words", rows, weights.singletonOrThrow(), targets, chunk, !backward)
            .singletonOrThrow();
    NDArray all = owner.zeros(new Shape(tensor.size()).addAll(own.getShape()));
    tensor.allGather(FlatTensors.memory(own), FlatTensors.memory(all));
    NDList results = kernels.call(owner, "all_words", all);
    int columns = results.size() - 1;
    return new Output(rows, targets, results.subNDList(0, columns), results.subNDList(columns));
  }

  @Override
  public NDArray backward(
      NDManager owner, NDList weights, List<NDList> gradients, Output output, NDList byColumns) {
    return kernels
        .call(
            owner,
            "words_backward",
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
