package roll.worker.critic;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import roll.api.strategy.RunPosition;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.UpdateReport;
import roll.api.strategy.ValueLossFunction;
import roll.api.strategy.ValueSession;
import roll.api.strategy.WeightsHandle;

/** The smallest value model: one value per token, trained by plain gradient descent. */
final class ValueTable implements ValueSession {
  private final int microBatch;
  private final double learningRate;
  private double[] table;
  private final List<RunPosition> positions = new ArrayList<>();
  private boolean closed;

  ValueTable(int vocabulary, int microBatch, double learningRate) {
    this.table = new double[vocabulary];
    this.microBatch = microBatch;
    this.learningRate = learningRate;
  }

  double[] table() {
    return table.clone();
  }

  /** Returns the arguments of all calls of {@link #position}. */
  List<RunPosition> positions() {
    return List.copyOf(positions);
  }

  @Override
  public void position(RunPosition next) {
    positions.add(next);
  }

  boolean closed() {
    return closed;
  }

  @Override
  public CompletableFuture<double[]> values(TokenBatch batch) {
    return CompletableFuture.completedFuture(
        values(batch, IntStream.range(0, batch.tokens().length).toArray()));
  }

  private double[] values(TokenBatch batch, int[] cells) {
    return Arrays.stream(cells)
        .mapToDouble(t -> batch.scored()[t] ? table[batch.tokens()[t]] : 0)
        .toArray();
  }

  @Override
  public CompletableFuture<UpdateReport> update(TokenBatch batch, ValueLossFunction loss) {
    double[] next = table.clone();
    for (int from = 0; from < batch.samples(); from += microBatch) {
      int[] part = IntStream.range(from, Math.min(batch.samples(), from + microBatch)).toArray();
      int[] cells =
          Arrays.stream(part)
              .flatMap(i -> IntStream.range(batch.offsets()[i], batch.offsets()[i + 1]))
              .toArray();
      double[] gradient = loss.evaluate(part, values(batch, cells));
      for (int c = 0; c < cells.length; c++) {
        next[batch.tokens()[cells[c]]] -= learningRate * gradient[c];
      }
    }
    table = next;
    return CompletableFuture.completedFuture(new UpdateReport(1, learningRate, false, 0));
  }

  @Override
  public WeightsHandle weights() {
    return () -> 0;
  }

  @Override
  public CompletableFuture<Void> save(Path folder) {
    try {
      Files.writeString(folder.resolve("table"), Arrays.toString(table));
      return CompletableFuture.completedFuture(null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public CompletableFuture<Void> restore(Path folder) {
    try {
      String text = Files.readString(folder.resolve("table"));
      table =
          Arrays.stream(text.substring(1, text.length() - 1).split(", ", -1))
              .mapToDouble(Double::parseDouble)
              .toArray();
      return CompletableFuture.completedFuture(null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
