package roll.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.memory.SessionMemory;
import roll.api.scoring.Distributions;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Gradients;
import roll.api.strategy.InferSession;
import roll.api.strategy.LossFunction;
import roll.api.strategy.RunPosition;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.UpdateReport;
import roll.api.strategy.WeightsHandle;

/**
 * The smallest trainable language model: one logit per token, regardless of the prompt, trained by
 * gradient descent. For tests of users of sessions.
 */
public final class UnigramModel implements TrainSession, InferSession {
  private final int microBatch;
  private final double learningRate;
  private double[] logits;
  private final List<RunPosition> positions = new ArrayList<>();
  private long version;
  private boolean closed;

  /** Creates a model with equal probabilities for {@code vocabulary} tokens. */
  public UnigramModel(int vocabulary, int microBatch, double learningRate) {
    this.logits = new double[vocabulary];
    this.microBatch = microBatch;
    this.learningRate = learningRate;
  }

  /** Log-probs of the vocabulary. */
  private record LogProbs(double[] logProbs) implements Distributions {}

  private record Logits(long version, double[] values) implements WeightsHandle {}

  /** Returns the log-probs of the vocabulary. */
  public double[] logProbs() {
    double sum = Arrays.stream(logits).map(Math::exp).sum();
    return Arrays.stream(logits).map(logit -> logit - Math.log(sum)).toArray();
  }

  /** Returns whether the session was closed. */
  public boolean closed() {
    return closed;
  }

  @Override
  public void position(RunPosition next) {
    positions.add(next);
  }

  /** Returns all positions passed to {@link #position}. */
  public List<RunPosition> positions() {
    return List.copyOf(positions);
  }

  @Override
  public CompletableFuture<Scores> score(TokenBatch batch) {
    int[] all = IntStream.range(0, batch.samples()).toArray();
    return CompletableFuture.completedFuture(score(batch, all));
  }

  private Scores score(TokenBatch batch, int[] samples) {
    double[] logProbs = logProbs();
    double entropy = -Arrays.stream(logProbs).map(l -> l * Math.exp(l)).sum();
    int[] cells = cells(batch, samples);
    return new Scores(
        Arrays.stream(cells)
            .mapToDouble(t -> batch.scored()[t] ? logProbs[batch.tokens()[t]] : 0)
            .toArray(),
        Arrays.stream(cells).mapToDouble(t -> batch.scored()[t] ? entropy : 0).toArray());
  }

  private static int[] cells(TokenBatch batch, int[] samples) {
    return Arrays.stream(samples)
        .flatMap(i -> IntStream.range(batch.offsets()[i], batch.offsets()[i + 1]))
        .toArray();
  }

  /** Scores with the initial model, as if an adapter had been trained. */
  @Override
  public CompletableFuture<Scores> scoreBase(TokenBatch batch) {
    return new UnigramModel(logits.length, microBatch, learningRate).score(batch);
  }

  @Override
  public Distributions distributions() {
    return new LogProbs(logProbs());
  }

  @Override
  public CompletableFuture<double[]> divergences(
      TokenBatch batch, @Nullable Distributions reference) {
    UnigramModel base = new UnigramModel(logits.length, microBatch, learningRate);
    double[] others =
        ((LogProbs) (reference == null ? base.distributions() : reference)).logProbs();
    double[] own = logProbs();
    double divergence =
        IntStream.range(0, own.length)
            .mapToDouble(v -> Math.exp(own[v]) * (own[v] - others[v]))
            .sum();
    return CompletableFuture.completedFuture(
        IntStream.range(0, batch.tokens().length)
            .mapToDouble(t -> batch.scored()[t] ? divergence : 0)
            .toArray());
  }

  @Override
  public CompletableFuture<UpdateReport> update(TokenBatch batch, LossFunction loss) {
    double[] gradient = new double[logits.length];
    for (int from = 0; from < batch.samples(); from += microBatch) {
      int[] part = IntStream.range(from, Math.min(batch.samples(), from + microBatch)).toArray();
      add(gradient, batch, part, loss.evaluate(part, score(batch, part)));
    }
    double norm = Math.sqrt(Arrays.stream(gradient).map(g -> g * g).sum());
    boolean finite = Double.isFinite(norm);
    if (finite) {
      for (int v = 0; v < logits.length; v++) {
        logits[v] -= learningRate * gradient[v];
      }
      version++;
    }
    return CompletableFuture.completedFuture(new UpdateReport(norm, learningRate, !finite, 0.5));
  }

  /** d log p(w) / d logit(v) = [v = w] − p(v); dH / d logit(v) = −p(v) (log p(v) + H). */
  private void add(double[] gradient, TokenBatch batch, int[] samples, Gradients from) {
    double[] logProbs = logProbs();
    double entropy = -Arrays.stream(logProbs).map(l -> l * Math.exp(l)).sum();
    int[] cells = cells(batch, samples);
    for (int c = 0; c < cells.length; c++) {
      for (int v = 0; batch.scored()[cells[c]] && v < gradient.length; v++) {
        double p = Math.exp(logProbs[v]);
        gradient[v] += from.logProbs()[c] * ((v == batch.tokens()[cells[c]] ? 1 : 0) - p);
        gradient[v] -= from.entropies()[c] * p * (logProbs[v] + entropy);
      }
    }
  }

  @Override
  public WeightsHandle weights() {
    return new Logits(version, logits.clone());
  }

  @Override
  public CompletableFuture<Void> update(WeightsHandle weights) {
    Logits given = (Logits) weights;
    logits = given.values().clone();
    version = given.version();
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    return CompletableFuture.completedFuture(requests.stream().map(this::respond).toList());
  }

  private Generation respond(GenerationRequest request) {
    SplittableRandom random = new SplittableRandom(request.seed());
    double[] logProbs = logProbs();
    List<Integer> tokens = new ArrayList<>();
    boolean stopped = false;
    while (!stopped && tokens.size() < request.sampling().maxNewTokens()) {
      double rest = random.nextDouble();
      int token = 0;
      while (token < logProbs.length - 1 && rest >= Math.exp(logProbs[token])) {
        rest -= Math.exp(logProbs[token++]);
      }
      tokens.add(token);
      stopped = request.stopTokens().contains(token);
    }
    int[] written = tokens.stream().mapToInt(Integer::intValue).toArray();
    double[] theirs = Arrays.stream(written).mapToDouble(t -> logProbs[t]).toArray();
    return new Generation(written, theirs, theirs, stopped, version);
  }

  @Override
  public CompletableFuture<Void> save(Path folder) {
    try {
      Files.createDirectories(folder);
      List<String> lines = Arrays.stream(logits).mapToObj(Double::toString).toList();
      Files.write(folder.resolve("logits.txt"), lines);
      Files.writeString(folder.resolve("version.txt"), Long.toString(version));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<Void> restore(Path folder) {
    try {
      List<String> lines = Files.readAllLines(folder.resolve("logits.txt"));
      logits = lines.stream().mapToDouble(Double::parseDouble).toArray();
      version = Long.parseLong(Files.readString(folder.resolve("version.txt")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return CompletableFuture.completedFuture(null);
  }

  /** Returns an empty list, since the logits need hardly any memory. */
  @Override
  public List<SessionMemory> peakMemory() {
    return List.of();
  }

  @Override
  public void close() {
    closed = true;
  }
}
